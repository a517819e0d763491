import { addMs, HOUR_MS } from '@/lib/platform/clock';
import type { Config } from '@/lib/platform/config/config';
import { nextRunAt } from './cron-times';
import type { RetentionJob } from './job-run';

/** What decides which job is due: the same for every retention process of a deployment. */
export interface ScheduleState {
  /** The database's time. */
  now: Date;
  /** When the last run of a job that ended well was started, by whomever. */
  lastGood: Partial<Record<RetentionJob, Date>>;
}

/** Milliseconds between two rounds of making partitions. */
const PARTITIONS_INTERVAL_MS = HOUR_MS;

/**
 * When a job is due: in the past when a run was missed or failed, which is then made up for once; null: never.
 * Every firing is judged by the runs there were and not by who slept through it, so a restart, a sleeping machine, a second
 * container and a run by hand all come to the same.
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

/** The first firing after a failed run or one that another process was at; by then it is tried in any case. */
export function nextFiring(job: RetentionJob, now: Date, config: Config): Date | null {
  return dueAt(job, { now, lastGood: { main: now, [job]: now } }, config);
}

/** A database in which the job never ran has missed it. */
function afterLast(cron: string, last: Date | undefined, now: Date): Date | null {
  return last === undefined ? now : nextRunAt(cron, last);
}

/** A main run does all that a burst does: it stands for those before it, and one that is due takes the place of a burst. */
function burstDueAt({ now, lastGood }: ScheduleState, config: Config): Date | null {
  const cron = config.DATA_RETENTION_BURST_CLEANUP_CRON;
  const mainDue = afterLast(config.DATA_RETENTION_CRON, lastGood.main, now);
  if (mainDue !== null && mainDue.getTime() <= now.getTime()) return nextRunAt(cron, now);
  const lastMs = Math.max(lastGood.burst?.getTime() ?? 0, lastGood.main?.getTime() ?? 0);
  return nextRunAt(cron, new Date(lastMs));
}
