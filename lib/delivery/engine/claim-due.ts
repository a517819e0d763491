import type { Sql } from '@/lib/platform/db';
import { leaseFromNow } from './lease';
import { MESSAGE_COLUMNS, type MessageRow, messageJoins, toMessage } from './messages';
import type { Job } from './types';

interface ClaimedRow extends MessageRow {
  id: string;
  target_id: string;
  attempt_count: number;
  schedule_step: number;
}

/** The expression of the index that deliveries are claimed by. */
export const TARGET_ID = 'coalesce(endpoint_id, destination_id)';

/*
 * Target by target, each its own oldest first: one target with fifty thousand due deliveries costs the claim no more than
 * one with ten, and what is claimed of it never takes the place of another's. A claim in the order of time alone would
 * have to read past all of them.
 */
const CLAIM_SQL = `
  WITH due AS MATERIALIZED (
    SELECT d.id FROM unnest($1::uuid[], $2::int[]) AS wanted(target_id, room)
    CROSS JOIN LATERAL (
      SELECT id FROM deliveries
      WHERE status = 'PENDING' AND ${TARGET_ID} = wanted.target_id AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) d
  ), leased AS (
    UPDATE deliveries SET next_attempt_at = now() + make_interval(secs => $3)
    WHERE id = ANY(ARRAY(SELECT id FROM due))
    RETURNING id, event_id, incoming_event_id, ${TARGET_ID} AS target_id, attempt_count, schedule_step
  )
  SELECT leased.*, ${MESSAGE_COLUMNS} FROM leased ${messageJoins('leased')} ORDER BY leased.id`;

/**
 * Leases deliveries that are due, up to `room` of each target: `next_attempt_at` moves to the end of the lease, which
 * takes them out of every worker's sight without a state of their own that a dead worker could leave behind.
 */
export async function claimDue(
  sql: Sql,
  wanted: ReadonlyMap<string, number>,
): Promise<{ targetId: string; job: Job }[]> {
  const lease = leaseFromNow();
  const { rows } = await sql.query<ClaimedRow>({
    name: 'claim-due',
    text: CLAIM_SQL,
    values: [[...wanted.keys()], [...wanted.values()], lease.seconds],
  });
  return rows.flatMap((row) => {
    const message = toMessage(row);
    if (message === null) return [];
    const job = {
      deliveryId: row.id,
      message,
      attemptNumber: row.attempt_count + 1,
      scheduleStep: row.schedule_step,
      leaseEndsAt: lease.endsAt,
    };
    return [{ targetId: row.target_id, job }];
  });
}

/**
 * Makes leased deliveries due at once, for any worker. Only those whose attempt has not been recorded; they were handed
 * back by the worker that holds the lease.
 */
export async function releaseLeases(sql: Sql, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql.query(
    `UPDATE deliveries d SET next_attempt_at = now()
     FROM unnest($1::uuid[], $2::int[]) AS j(id, attempt_number)
     WHERE d.id = j.id AND d.status = 'PENDING' AND d.attempt_count = j.attempt_number - 1`,
    [jobs.map(({ deliveryId }) => deliveryId), jobs.map(({ attemptNumber }) => attemptNumber)],
  );
}
