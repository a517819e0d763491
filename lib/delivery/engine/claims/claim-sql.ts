import { integer, nullable, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** The expression of the index that claims use. */
export const TARGET_ID = 'coalesce(endpoint_id, destination_id)';

/**
 * Claims the oldest deliveries of each target. So a target with fifty thousand due deliveries costs no more than one with ten, and
 * does not displace the others. A claim in the order of time alone would have to read all of them.
 *
 * Deliveries beyond the limit of bytes stay due. The first delivery is always claimed.
 *
 * $1 targets, $2 deliveries of each at most, $3 seconds of the lease, $4 bytes of all deliveries at most.
 */
export const leaseDue = statement(
  `
  WITH due AS MATERIALIZED (
    SELECT d.* FROM unnest($1::uuid[], $2::int[]) AS wanted(target_id, room)
    CROSS JOIN LATERAL (
      SELECT id, event_id, incoming_event_id, next_attempt_at FROM deliveries
      WHERE status = 'PENDING' AND ${TARGET_ID} = wanted.target_id AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) d
  ), sized AS (
    SELECT id, row_number() OVER w AS nth,
           sum(coalesce((SELECT octet_length(e.payload) FROM events e WHERE e.id = due.event_id),
                        (SELECT octet_length(i.headers) + octet_length(i.body) FROM incoming_events i WHERE i.id = due.incoming_event_id), 0))
             OVER w AS bytes
    FROM due WINDOW w AS (ORDER BY next_attempt_at, id ROWS UNBOUNDED PRECEDING)
  ), leased AS (
    UPDATE deliveries SET next_attempt_at = now() + make_interval(secs => $3)
    WHERE id = ANY(ARRAY(SELECT id FROM sized WHERE nth = 1 OR bytes <= $4))
    RETURNING id, project_id, event_id, incoming_event_id, ${TARGET_ID} AS target_id, attempt_count, schedule_step
  )
  SELECT * FROM leased ORDER BY id`,
  {
    id: uuid,
    project_id: uuid,
    event_id: nullable(uuid),
    incoming_event_id: nullable(uuid),
    target_id: uuid,
    attempt_count: integer,
    schedule_step: integer,
  },
  { name: 'claim-due' },
);
export type ClaimedRow = RowOf<typeof leaseDue.columns>;

/** Makes deliveries $1 due at once, unless their attempt with the number of $2 has been recorded. */
export const endLeases = statement(
  `UPDATE deliveries d SET next_attempt_at = now()
   FROM unnest($1::uuid[], $2::int[]) AS j(id, attempt_number)
   WHERE d.id = j.id AND d.status = 'PENDING' AND d.attempt_count = j.attempt_number - 1`,
);

/** Fails the due deliveries of target $1 with the error $2, $3 at most. Counts them for the statistics. */
export const failDue = statement(`
  WITH failed AS (
  UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL, completed_at = now(), last_error = $2
  WHERE id = ANY(ARRAY(
    SELECT id FROM deliveries
    WHERE status = 'PENDING' AND ${TARGET_ID} = $1 AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED))
  RETURNING project_id
  ), counted AS (
    INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last)
    SELECT array_agg(project_id), array_agg($1::uuid), array_agg('NOT_SENT'::"StatKind"), array_agg(true)
    FROM failed HAVING count(*) > 0
  )
  SELECT FROM failed`);
