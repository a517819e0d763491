import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { insertAttempts } from './record-sql';
import { attemptColumns, runRecord } from './record-statement';
import { statColumns } from './stat-columns';

/**
 * Records attempts of stored deliveries, and updates the deliveries, in one statement.
 *
 * @returns the outcomes that were recorded; the others were too late
 */
export async function recordAttempts(sql: Sql, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  return runRecord(sql, outcomes, insertAttempts, [
    column(({ job }) => job.deliveryId),
    column(({ job }) => job.attemptNumber),
    column(({ job }) => job.scheduleStep),
    ...attemptColumns(outcomes),
    ...statColumns(outcomes),
    column(({ job }) => job.projectId),
  ]);
}
