import { deliveryLease } from '@/lib/delivery/engine/lease';
import type { EventRef, LeasedDelivery } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { type ClaimedRow, endLeases, leaseDue } from './claim-sql';

/**
 * Leases due deliveries: it moves `next_attempt_at` to the end of the lease. So no worker sees them until then, and a dead worker
 * leaves no state that must be cleaned up.
 *
 * @param wanted how many deliveries at most, by target
 * @param bytes content of all deliveries at most
 */
export async function claimDue(
  sql: Sql,
  wanted: ReadonlyMap<string, number>,
  bytes: number,
): Promise<LeasedDelivery[]> {
  const lease = deliveryLease();
  const rows = await leaseDue.all(sql, [...wanted.keys()], [...wanted.values()], lease.seconds, bytes);
  return rows.map((row) => toJob(row, lease.endsAt));
}

function toJob(row: ClaimedRow, leaseEndsAt: number): LeasedDelivery {
  const source: EventRef = { eventId: row.event_id, incomingEventId: row.incoming_event_id };
  return {
    deliveryId: row.id,
    projectId: row.project_id,
    targetId: row.target_id,
    targetKind: row.event_id === null ? 'destination' : 'endpoint',
    source,
    attemptNumber: row.attempt_count + 1,
    scheduleStep: row.schedule_step,
    leaseEndsAt,
    leasedAt: performance.now(),
    entry: null,
    storing: null,
  };
}

/**
 * Ends leases of this worker, so that any worker can claim the deliveries at once. Deliveries whose attempt has been recorded are
 * left alone.
 */
export async function releaseLeases(sql: Sql, jobs: readonly LeasedDelivery[]): Promise<void> {
  if (jobs.length === 0) return;
  await endLeases.run(
    sql,
    jobs.map(({ deliveryId }) => deliveryId),
    jobs.map(({ attemptNumber }) => attemptNumber),
  );
}
