import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import type { JobRun, Preview } from '@/lib/retention/jobs/job-run';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import type { DeliverySource } from './delivery-source';
import { countRemovable } from './preview-events-sql';

/**
 * Counts what a run would remove now. Excludes attempts that have expired themselves: a run removes them in an earlier step,
 * whose preview counts them.
 */
export async function previewEvents(run: JobRun, source: DeliverySource, days: number): Promise<Preview> {
  const { now, policy } = run;
  const { events, deliveries, outbox, delivery_attempts } = await countRemovable[source.table].one(
    sqlWithTimeout(LONG_STATEMENT_MS),
    expiryCutoff(now, days),
    attemptsKeptFrom(run, policy.succeededAttemptsDays),
    attemptsKeptFrom(run, policy.failedAttemptsDays),
  );
  return {
    rows: {
      [source.table]: Number(events),
      deliveries: Number(deliveries),
      outbox: Number(outbox),
      delivery_attempts: Number(delivery_attempts),
    },
  };
}

/** The earliest attempt that is kept: the start of a UTC day where partitions are dropped by day. */
function attemptsKeptFrom({ now, policy }: JobRun, days: number): Date {
  const cutoff = expiryCutoff(now, days);
  return policy.maintainsPartitions ? new Date(Math.floor(cutoff.getTime() / DAY_MS) * DAY_MS) : addMs(cutoff, 1);
}
