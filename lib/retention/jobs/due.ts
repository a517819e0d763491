import { addMs, HOUR_MS } from '@/lib/platform/clock';
import type { Config } from '@/lib/platform/config/config';
import { nextRunAt } from './cron-times';
import type { RetentionJob } from './job-run';

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
 * rules of their own (docs/decisions/019-jobs-are-due-by-their-last-good-run.md).
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
