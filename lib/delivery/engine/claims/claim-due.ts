import { deliveryLease } from '@/lib/delivery/engine/lease';
import type { DeliverySource, LeasedDelivery } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';

interface ClaimedRow {
  id: string;
  project_id: string;
  target_id: string;
  event_id: string | null;
  incoming_event_id: string | null;
  attempt_count: number;
  schedule_step: number;
}

/** The expression of the index that claims use. */
export const TARGET_ID = 'coalesce(endpoint_id, destination_id)';

/*
 * Claims the oldest deliveries of each target. So a target with fifty thousand due deliveries costs no more than one with ten, and
 * does not displace the others. A claim in the order of time alone would have to read all of them.
 *
 * Deliveries beyond the limit of bytes stay due. The first delivery is always claimed.
 */
const CLAIM_SQL = `
  WITH due AS MATERIALIZED (
    SELECT d.* FROM unnest($1::uuid[], $2::int[]) AS wanted(target_id, room)
    CROSS JOIN LATERAL (
      SELECT id, event_id, incoming_event_id, next_attempt_at FROM deliveries
      WHERE status = 'PENDING' AND ${TARGET_ID} = wanted.target_id AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) d
  ), sized AS (
    SELECT id, row_number() OVER w AS nth,
           sum(coalesce((SELECT octet_length(e.payload) FROM events e WHERE e.id = due.event_id),
                        (SELECT octet_length(i.body) FROM incoming_events i WHERE i.id = due.incoming_event_id), 0))
             OVER w AS bytes
    FROM due WINDOW w AS (ORDER BY next_attempt_at, id ROWS UNBOUNDED PRECEDING)
  ), leased AS (
    UPDATE deliveries SET next_attempt_at = now() + make_interval(secs => $3)
    WHERE id = ANY(ARRAY(SELECT id FROM sized WHERE nth = 1 OR bytes <= $4))
    RETURNING id, project_id, event_id, incoming_event_id, ${TARGET_ID} AS target_id, attempt_count, schedule_step
  )
  SELECT * FROM leased ORDER BY id`;

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
  const { rows } = await sql.query<ClaimedRow>({
    name: 'claim-due',
    text: CLAIM_SQL,
    values: [[...wanted.keys()], [...wanted.values()], lease.seconds, bytes],
  });
  return rows.map((row) => toJob(row, lease.endsAt));
}

function toJob(row: ClaimedRow, leaseEndsAt: number): LeasedDelivery {
  const source: DeliverySource = { eventId: row.event_id, incomingEventId: row.incoming_event_id };
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
  await sql.query(
    `UPDATE deliveries d SET next_attempt_at = now()
     FROM unnest($1::uuid[], $2::int[]) AS j(id, attempt_number)
     WHERE d.id = j.id AND d.status = 'PENDING' AND d.attempt_count = j.attempt_number - 1`,
    [jobs.map(({ deliveryId }) => deliveryId), jobs.map(({ attemptNumber }) => attemptNumber)],
  );
}
