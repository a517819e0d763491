import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { RETENTION_JOBS, type RetentionJob } from './job-run';
import { listLastGood } from './jobs-sql';
import { runJob } from './run-job';
import type { RunSummary } from './run-record';
import { dueAt, nextFiring, type ScheduleState } from './run-times';

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
  const rows = await listLastGood.all(database(), RETENTION_JOBS);
  const lastGood = Object.fromEntries(rows.flatMap(({ job, last }) => (last === null ? [] : [[job, last]])));
  return { now: rows[0]?.now ?? new Date(), lastGood };
}
