import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import type { JobRun, Preview } from '@/lib/retention/jobs/job-run';
import { expiredUntil } from '@/lib/retention/retention-policy';
import { type DeliverySource, isRemovableSql } from './delivery-source';

const previewSql = (source: DeliverySource) => `
  WITH leaving AS MATERIALIZED (
    SELECT e.id FROM ${source.table} e WHERE e.created_at <= $1 AND ${isRemovableSql(source)}
  ), delivery AS MATERIALIZED (
    SELECT d.id FROM deliveries d JOIN leaving ON leaving.id = d.${source.column}
  )
  SELECT (SELECT count(*) FROM leaving) AS events, (SELECT count(*) FROM delivery) AS deliveries,
    (SELECT count(*) FROM outbox o JOIN leaving ON leaving.id = o.${source.column}) AS outbox,
    (SELECT count(*) FROM delivery_attempts a JOIN delivery d ON d.id = a.delivery_id
     WHERE a.created_at >= CASE WHEN a.succeeded THEN $2::timestamptz ELSE $3::timestamptz END) AS delivery_attempts`;

/**
 * Counts what a run would remove now. Excludes attempts that have expired themselves: a run removes them in an earlier step,
 * whose preview counts them.
 */
export async function previewEvents(run: JobRun, source: DeliverySource, days: number): Promise<Preview> {
  const { now, policy } = run;
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<Record<string, string>>(previewSql(source), [
    expiredUntil(now, days),
    attemptsKeptFrom(run, policy.succeededAttemptsDays),
    attemptsKeptFrom(run, policy.failedAttemptsDays),
  ]);
  const count = (name: string) => Number(rows[0]?.[name] ?? 0);
  return {
    rows: {
      [source.table]: count('events'),
      deliveries: count('deliveries'),
      outbox: count('outbox'),
      delivery_attempts: count('delivery_attempts'),
    },
  };
}

/** The earliest attempt that is kept: the start of a UTC day where partitions are dropped by day. */
function attemptsKeptFrom({ now, policy }: JobRun, days: number): Date {
  const until = expiredUntil(now, days);
  return policy.maintainsPartitions ? new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS) : addMs(until, 1);
}
