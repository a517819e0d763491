import { setTimeout as sleep } from 'node:timers/promises';
import { Cron } from 'croner';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { RETENTION_JOBS, type RetentionJob } from './job-run';
import { listLast } from './jobs-sql';
import { runJob } from './run-job';
import type { RunSummary } from './run-record';

/** The recorded runs are read at least this often: other processes run jobs too, and machines sleep. */
const POLL_MS = MINUTE_MS;
const AFTER_FAILURE_MS = 10 * MINUTE_MS;
/** The process that has the lock may run a burst. Main is still due after it. */
const AFTER_BUSY_MS = MINUTE_MS;
const AFTER_UNREACHABLE_MS = 2 * SECOND_MS;

/**
 * Runs every job when it is due, until `signal` is aborted. Resolves when the runs under way have ended. Keeps trying while
 * the database is unreachable.
 */
export async function runSchedules(signal: AbortSignal): Promise<void> {
  await Promise.all(RETENTION_JOBS.map((job) => runSchedule(job, signal)));
}

/**
 * Runs the job `partitions` at the start of a process, due or not, because everything else needs partitions.
 *
 * @throws when the database cannot be used, even where the job has nothing to do
 */
export async function preparePartitions(signal: AbortSignal): Promise<void> {
  await readState();
  logEnd(await runJob('partitions', { signal }));
}

const PREPARE_TRIES = 20;
const PREPARE_AGAIN_MS = 5 * SECOND_MS;

/**
 * Runs the job `partitions` when a cell was added: a cell gets its partitions before it takes organizations, two minutes after it was
 * added. A run under way, in this process or another one, may not know the cell yet, so this one waits for its end.
 */
export async function prepareNewCells(signal: AbortSignal, againMs = PREPARE_AGAIN_MS): Promise<void> {
  for (let tries = 0; tries < PREPARE_TRIES && !signal.aborted; tries += 1) {
    try {
      const summary = await runJob('partitions', { signal });
      if (summary.status !== 'already_running') return logEnd(summary);
    } catch (error) {
      log().warn({ err: error }, 'retention: partitions of new cells could not be created; retrying');
    }
    await sleep(againMs, undefined, { signal }).catch(() => undefined);
  }
}

async function runSchedule(job: RetentionJob, signal: AbortSignal): Promise<void> {
  let isUnreachable = false;
  while (!signal.aborted) {
    let waitMs: number;
    try {
      waitMs = await runIfDue(job, signal);
      isUnreachable = false;
    } catch (error) {
      const facts = { err: error, job };
      if (!isDatabaseUnreachable(error)) log().error(facts, 'retention: job could not be run');
      else if (!isUnreachable) log().warn(facts, 'retention: database is unreachable; retrying');
      isUnreachable = isDatabaseUnreachable(error);
      waitMs = isUnreachable ? AFTER_UNREACHABLE_MS : AFTER_FAILURE_MS;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** @returns milliseconds until the next poll */
async function runIfDue(job: RetentionJob, signal: AbortSignal): Promise<number> {
  const state = await readState();
  const waitMs = msUntilDue(job, state);
  if (waitMs > 0) return Math.min(waitMs, POLL_MS);
  const isStillDue = async () => msUntilDue(job, await readState()) <= 0;
  const summary = await runJob(job, { signal, isStillDue });
  logEnd(summary);
  if (summary.status === 'done' || summary.status === 'not_due') return 0;
  const next = nextFiring(job, state.now, config())?.getTime() ?? Number.POSITIVE_INFINITY;
  return Math.min(next - state.now.getTime(), summary.status === 'already_running' ? AFTER_BUSY_MS : AFTER_FAILURE_MS);
}

function msUntilDue(job: RetentionJob, state: ScheduleState): number {
  const due = dueAt(job, state, config());
  return due === null ? Number.POSITIVE_INFINITY : due.getTime() - state.now.getTime();
}

function logEnd({ status, ...facts }: RunSummary): void {
  if (status === 'disabled' || status === 'not_due') return;
  const level = status === 'failed' ? 'error' : 'info';
  log()[level](facts, `retention: ${status.replace('_', ' ')}`);
}

async function readState(): Promise<ScheduleState> {
  const rows = await listLast.all(database(), { jobs: RETENTION_JOBS });
  const lastGood = Object.fromEntries(rows.map(({ job, good_started_at }) => [job, good_started_at ?? undefined]));
  return { now: rows[0]?.now ?? new Date(), lastGood };
}

/** Returns the first time after `after` at which a cron fires; null: never again. Five fields, or six with seconds first, in UTC. */
export function nextRunAt(cron: string, after: Date): Date | null {
  return new Cron(cron, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' }).nextRun(after);
}

/** What decides which job is due. It is the same for every retention process of a deployment. */
export interface ScheduleState {
  /** The database's time. */
  now: Date;
  /** When the last successful run of a job started, in any process. */
  lastGood: Partial<Record<RetentionJob, Date | undefined>>;
}

/** Returns when a job runs: a cron, or the milliseconds between two runs; null when it never runs on its own. */
export function scheduleOf(job: 'main' | 'cap' | 'burst', config: Config): string;
export function scheduleOf(job: RetentionJob, config: Config): string | number | null;
export function scheduleOf(job: RetentionJob, config: Config): string | number | null {
  switch (job) {
    case 'main':
      return config.DATA_RETENTION_CRON;
    case 'cap':
      return config.DATA_RETENTION_LIMIT_CRON;
    case 'burst':
      return config.DATA_RETENTION_BURST_CLEANUP_CRON;
    case 'metrics':
      return config.DATA_RETENTION_TABLE_METRICS_INTERVAL_MS;
    case 'partitions':
      return config.PARTITION_MAINTENANCE_ENABLED ? HOUR_MS : null;
  }
}

/**
 * Returns when a job is due: a past time when a run was missed or failed, which is made up for once; null: never.
 * The recorded runs decide whether a firing is due, so a restart, a sleeping machine, a second container and a manual run need no
 * rules of their own (docs/decisions/017-retention.md). A job that never ran is due at once.
 */
export function dueAt(job: RetentionJob, { now, lastGood }: ScheduleState, config: Config): Date | null {
  if (job === 'burst') return burstDueAt({ now, lastGood }, config);
  const schedule = scheduleOf(job, config);
  if (schedule === null) return null;
  const last = lastGood[job];
  if (last === undefined) return now;
  return typeof schedule === 'number' ? addMs(last, schedule) : nextRunAt(schedule, last);
}

/** A main run includes a burst: it counts as one, and while it is due no burst is. */
function burstDueAt({ now, lastGood }: ScheduleState, config: Config): Date | null {
  const cron = scheduleOf('burst', config);
  const mainDue = dueAt('main', { now, lastGood }, config);
  if (mainDue !== null && mainDue.getTime() <= now.getTime()) return nextRunAt(cron, now);
  const lastMs = Math.max(lastGood.burst?.getTime() ?? 0, lastGood.main?.getTime() ?? 0);
  return nextRunAt(cron, new Date(lastMs));
}

/** Returns the next firing of a job after a run that failed or that another process had. The job is tried then at the latest. */
export function nextFiring(job: RetentionJob, now: Date, config: Config): Date | null {
  return dueAt(job, { now, lastGood: { main: now, [job]: now } }, config);
}

/** Returns the first run, by any of the crons, that starts at `at` or later; null: never again. */
export function firstRunFrom(crons: readonly string[], at: Date): Date | null {
  // A run at the instant of expiry removes the row, and nextRunAt looks strictly after its time.
  const runs = crons.map((cron) => nextRunAt(cron, addMs(at, -1))).filter((run) => run !== null);
  return runs.reduce<Date | null>((first, run) => (first === null || run < first ? run : first), null);
}
