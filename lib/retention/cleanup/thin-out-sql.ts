import type { Origin } from './origin-sql';

/** All that hangs on an event and that nobody works on: what is pending, or held, cannot be locked. */
const lockEntriesSql = (column: Origin['column']) =>
  `SELECT FROM outbox WHERE ${column} = $1 AND status <> 'PENDING' FOR UPDATE SKIP LOCKED`;

/**
 * Locks all of an event's deliveries and its rows of the outbox, if nobody works on any.
 *
 * $1 event, $2 most ids.
 */
export const beginSql = ({ column }: Origin) => `
  WITH delivery AS MATERIALIZED (
    SELECT id, project_id FROM deliveries WHERE ${column} = $1 AND status <> 'PENDING' FOR UPDATE SKIP LOCKED
  ), entry AS MATERIALIZED (${lockEntriesSql(column)})
  SELECT (SELECT count(*) FROM delivery) = (SELECT count(*) FROM deliveries WHERE ${column} = $1)
           AND (SELECT count(*) FROM entry) = (SELECT count(*) FROM outbox WHERE ${column} = $1) AS is_free,
         (SELECT count(*)::int FROM entry) AS entries, (SELECT project_id FROM delivery LIMIT 1) AS project_id,
         (SELECT id FROM delivery ORDER BY id DESC LIMIT 1) AS last_id,
         (SELECT array_agg(id)::text FROM (SELECT id FROM delivery ORDER BY id LIMIT $2) AS first) AS ids`;

/**
 * Locks the next deliveries, if none of the event's is pending and nobody holds any of these. The fan-out makes deliveries of
 * an event with ids next to each other, so the index of what has not succeeded is read between the first and the last: it
 * holds hardly anything else that old. By the event all its deliveries would be read in each batch, hence `IS NOT DISTINCT`.
 *
 * An operator who puts an event back into the queue takes its row of the outbox, which then is held, pending or gone.
 *
 * $1 event, $2 ids, $3 project, $4 and $5 the first and the last id of its deliveries, $6 rows of the outbox.
 */
export const nextSql = ({ column }: Origin) => `
  WITH delivery AS MATERIALIZED (
    SELECT id, stored_attempts, completed_at, last_attempt_at FROM deliveries
    WHERE id = ANY(ARRAY(SELECT unnest($2::uuid[]))) AND status <> 'PENDING' FOR UPDATE SKIP LOCKED
  ), entry AS MATERIALIZED (${lockEntriesSql(column)})
  SELECT count(*) = (SELECT count(*) FROM deliveries WHERE id = ANY(ARRAY(SELECT unnest($2::uuid[]))))
           AND NOT EXISTS (
             SELECT FROM deliveries WHERE project_id = $3::uuid AND status = 'PENDING' AND id >= $4::uuid AND id <= $5::uuid
               AND ${column} IS NOT DISTINCT FROM $1)
           AND (SELECT count(*) FROM entry) = $6 AND (SELECT count(*) FROM outbox WHERE ${column} = $1) = $6 AS is_free,
         array_agg(id ORDER BY id)::text AS ids, array_agg(stored_attempts ORDER BY id)::text AS stored_attempts,
         max(greatest(completed_at, last_attempt_at)) AS touched_at
  FROM delivery`;
