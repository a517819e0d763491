import type { OperatorCaller } from '@/lib/audit/caller';
import { addMs, type Clock } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { nextFiring, nextRunAt } from '@/lib/retention/jobs/run-times';
import { cronsOf } from '@/lib/retention/queries';
import { listLastRuns } from '@/lib/retention/recorded-runs';
import type { RetentionRun } from '@/lib/retention/schema';
import { describePartitions } from './describe-partitions';
import { describeRetainedData } from './describe-retained-data';
import type { JobSchedule, RetentionState } from './schema';

/** Reads the state of retention: rules, tables, partitions, schedules, and the last run of each job. */
export async function getRetention(_caller: OperatorCaller, clock: Clock): Promise<RetentionState> {
  const [settings, now] = [config(), clock()];
  const [tables, lastRuns] = await Promise.all([describePartitions(settings, now), listLastRuns()]);
  return {
    partitionMaintenanceEnabled: settings.PARTITION_MAINTENANCE_ENABLED,
    jobs: [...RETENTION_JOBS],
    classes: await describeRetainedData(settings, now, tables, lastRuns),
    tables,
    schedules: RETENTION_JOBS.map((job) => describeSchedule(job, settings, lastRuns, now)),
    lastRuns,
  };
}

function describeSchedule(
  job: JobSchedule['job'],
  settings: Config,
  lastRuns: readonly RetentionRun[],
  now: Date,
): JobSchedule {
  if (job === 'main' || job === 'cap' || job === 'burst') {
    const cron = cronsOf(settings)[job];
    return { job, cron, everyMs: null, nextRunAt: nextRunAt(cron, now)?.toISOString() ?? null };
  }
  // The other jobs are due a fixed time after their last run.
  const nextOne = nextFiring(job, now, settings);
  if (nextOne === null) return { job, cron: null, everyMs: null, nextRunAt: null };
  const everyMs = nextOne.getTime() - now.getTime();
  const last = lastRuns.find((run) => run.job === job);
  const next = last === undefined ? now : addMs(new Date(last.startedAt), everyMs);
  return { job, cron: null, everyMs, nextRunAt: next > now ? next.toISOString() : null };
}
