import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { insertFirstAttempts } from './record-sql';
import { attemptColumns, runRecord } from './record-statement';
import { statColumns } from './stat-columns';
import { deliveryColumns, type OutboxEntries } from './store-deliveries';

/**
 * Records first attempts together with their deliveries, in one statement. The caller settles `entries` after the commit.
 *
 * @returns the outcomes that were recorded; the others were too late
 */
export async function recordFirstAttempts(
  sql: Sql,
  outcomes: readonly Outcome[],
  entries: OutboxEntries,
): Promise<Outcome[]> {
  const now = performance.now();
  return runRecord(sql, outcomes, insertFirstAttempts, [
    ...entries.columns,
    ...deliveryColumns((read) => outcomes.map(({ job }) => read(job))),
    outcomes.map(({ job }) => (now - job.leasedAt) / 1000),
    ...attemptColumns(outcomes),
    ...statColumns(outcomes),
  ]);
}
