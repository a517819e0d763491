import { Cron } from 'croner';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import type { Config } from '@/lib/platform/config/config';
import type { RetentionRule } from '@/lib/retention/schema';
import type { RetentionJob } from './job-run';

/** Returns the first time after `after` at which a cron fires; null: never again. Five fields, or six with seconds first, in UTC. */
export function nextRunAt(cron: string, after: Date): Date | null {
  return new Cron(cron, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' }).nextRun(after);
}

/** What decides which job is due. It is the same for every retention process of a deployment. */
export interface ScheduleState {
  /** The database's time. */
  now: Date;
  /** When the last successful run of a job started, in any process. */
  lastGood: Partial<Record<RetentionJob, Date>>;
}

/** Between two runs of the job `partitions`. */
const PARTITIONS_INTERVAL_MS = HOUR_MS;

/**
 * Returns when a job is due: a past time when a run was missed or failed, which is made up for once; null: never.
 * The recorded runs decide whether a firing is due, so a restart, a sleeping machine, a second container and a manual run need no
 * rules of their own (docs/decisions/017-retention.md).
 */
export function dueAt(job: RetentionJob, { now, lastGood }: ScheduleState, config: Config): Date | null {
  const last = lastGood[job];
  switch (job) {
    case 'main':
      return afterLast(config.DATA_RETENTION_CRON, last, now);
    case 'cap':
      return afterLast(config.DATA_RETENTION_LIMIT_CRON, last, now);
    case 'burst':
      return burstDueAt({ now, lastGood }, config);
    case 'metrics':
      return last === undefined ? now : addMs(last, config.DATA_RETENTION_TABLE_METRICS_INTERVAL_MS);
    case 'partitions':
      if (!config.PARTITION_MAINTENANCE_ENABLED) return null;
      return last === undefined ? now : addMs(last, PARTITIONS_INTERVAL_MS);
  }
}

/** Returns the next firing of a job after a run that failed or that another process had. The job is tried then at the latest. */
export function nextFiring(job: RetentionJob, now: Date, config: Config): Date | null {
  return dueAt(job, { now, lastGood: { main: now, [job]: now } }, config);
}

/** A job that never ran is due at once. */
function afterLast(cron: string, last: Date | undefined, now: Date): Date | null {
  return last === undefined ? now : nextRunAt(cron, last);
}

/** A main run includes a burst: it counts as one, and while it is due no burst is. */
function burstDueAt({ now, lastGood }: ScheduleState, config: Config): Date | null {
  const cron = config.DATA_RETENTION_BURST_CLEANUP_CRON;
  const mainDue = afterLast(config.DATA_RETENTION_CRON, lastGood.main, now);
  if (mainDue !== null && mainDue.getTime() <= now.getTime()) return nextRunAt(cron, now);
  const lastMs = Math.max(lastGood.burst?.getTime() ?? 0, lastGood.main?.getTime() ?? 0);
  return nextRunAt(cron, new Date(lastMs));
}

/** Returns when a row expires by a rule of days. A row that is removed by day expires when its entire UTC day has. */
export function expiryOf(createdAt: Date, { days, leavesByDay }: Pick<RetentionRule, 'days' | 'leavesByDay'>): Date {
  const from = leavesByDay ? Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS + DAY_MS : createdAt.getTime();
  return new Date(from + (days ?? 0) * DAY_MS);
}

/** Returns the first run, by any of the crons, that starts at `at` or later; null: never again. */
export function firstRunFrom(crons: readonly string[], at: Date): Date | null {
  // A run at the instant of expiry removes the row, and nextRunAt looks strictly after its time.
  const runs = crons.map((cron) => nextRunAt(cron, addMs(at, -1))).filter((run) => run !== null);
  return runs.reduce<Date | null>((first, run) => (first === null || run < first ? run : first), null);
}
