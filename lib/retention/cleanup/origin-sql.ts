import { LOCK_TIMEOUT_MS } from './batches';

/** What deliveries come from: events, or incoming events. Both leave in the same way. */
export interface Origin {
  table: 'events' | 'incoming_events';
  /** The column of deliveries and of the outbox that names it. */
  column: 'event_id' | 'incoming_event_id';
}

export const EVENT: Origin = { table: 'events', column: 'event_id' };
export const INCOMING_EVENT: Origin = { table: 'incoming_events', column: 'incoming_event_id' };

/** A row that a run has met. Times travel as text: a Date has no microseconds. */
export interface Place {
  time: string;
  id: string;
}

/*
 * Plans that fit any batch, and by indexes: planning for the very ids of one costs more than running it, and by statistics
 * from before a bulk load the planner would read the outbox or the deliveries whole, once a batch. Arrays of ids are hidden
 * in subqueries for the same reason.
 */
export const PLANNER_SETTINGS =
  'SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off; SET LOCAL jit = off';

const waitingUpTo = (ms: number) => `set_config('lock_timeout', '${ms}ms', true)`;
/** DELETE knows no SKIP LOCKED, and 0 would have it wait for ever. */
const NO_WAIT_MS = 1;

/**
 * Locks the next that have expired, but for those that somebody holds: a fan-out holds the event whose deliveries it
 * makes. While the locks stand no further delivery can refer to them. What comes next in the transaction waits for nobody.
 *
 * $1 expired until, $2 and $3 the last one met before, $4 limit.
 */
export const lockSql = ({ table }: Origin) => `
  WITH met AS MATERIALIZED (
    SELECT id, created_at FROM ${table} WHERE created_at <= $1 AND (created_at, id) > ($2::timestamptz, $3::uuid)
    ORDER BY created_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
  SELECT cardinality(ids) AS met, ids::text, ids[cardinality(ids)] AS last_id, last_time, ${waitingUpTo(NO_WAIT_MS)}
  FROM (SELECT coalesce(array_agg(id), '{}') AS ids, max(created_at)::text AS last_time FROM met) AS locked`;

/**
 * Removes all that was locked with its deliveries, in a statement of its own: it sees what was committed before the locks.
 * Nothing is removed when something waits in the outbox or is pending, or when there are more deliveries than the limit. When
 * fewer are gone than were found, somebody has put one back into the queue at this moment, and the foreign key has taken it.
 *
 * $1 ids, $2 limit.
 * @throws lock_not_available when somebody holds one of the deliveries
 */
export const removeSql = ({ table, column }: Origin) => `
  WITH found AS MATERIALIZED (
    SELECT count(*)::int AS deliveries, count(*) <= $2 AND count(*) FILTER (WHERE status = 'PENDING') = 0
           AND NOT EXISTS (SELECT FROM outbox WHERE ${column} = ANY(ARRAY(SELECT unnest($1::uuid[])))) AS is_clear
    FROM deliveries WHERE ${column} = ANY(ARRAY(SELECT unnest($1::uuid[])))
  ), gone AS (
    DELETE FROM deliveries WHERE ${column} = ANY(ARRAY(SELECT unnest($1::uuid[]))) AND status <> 'PENDING'
      AND (SELECT is_clear FROM found)
    RETURNING id, stored_attempts, completed_at, last_attempt_at
  ), origin AS (
    DELETE FROM ${table} WHERE id = ANY(ARRAY(SELECT unnest($1::uuid[]))) AND (SELECT is_clear FROM found) RETURNING id
  )
  SELECT (SELECT is_clear FROM found) AND count(*) = (SELECT deliveries FROM found) AS is_whole,
         (SELECT count(*)::int FROM origin) AS origins, count(*)::int AS deliveries,
         coalesce(max(stored_attempts), 0) AS most_attempts, coalesce(sum(stored_attempts), 0)::float8 AS attempts,
         array_agg(id ORDER BY id)::text AS delivery_ids, array_agg(stored_attempts ORDER BY id)::text AS stored_attempts,
         max(greatest(completed_at, last_attempt_at)) AS touched_at, ${waitingUpTo(LOCK_TIMEOUT_MS)}
  FROM gone`;

/**
 * Judges them one by one where not all can leave together. What is still being worked on stays, whole: with a pending
 * delivery, or waiting to be fanned out. Of the others it chooses the first that have no more deliveries together than the
 * limit, and no more attempts; and of those it deletes the deliveries and dead outbox rows, if it can lock all of them. One
 * that a person retries at this moment, or an operator puts back into the queue, keeps its event and all else of it.
 *
 * $1 ids, $2 limit.
 */
export const takeSql = ({ table, column }: Origin) => `
  WITH met AS (SELECT * FROM unnest($1::uuid[]) WITH ORDINALITY AS e(id, n)
  ), found AS MATERIALIZED (
    SELECT ${column} AS id, count(*)::int AS deliveries, sum(stored_attempts) AS attempts, bool_or(status = 'PENDING') AS is_pending
    FROM deliveries WHERE ${column} = ANY(ARRAY(SELECT id FROM met)) GROUP BY 1
  ), queued AS MATERIALIZED (
    SELECT ${column} AS id, count(*)::int AS dead, bool_or(status = 'PENDING') AS is_waiting
    FROM outbox WHERE ${column} = ANY(ARRAY(SELECT id FROM met)) GROUP BY 1
  ), judged AS (
    SELECT n, id, coalesce(is_pending, false) OR coalesce(is_waiting, false) AS stays,
           coalesce(deliveries, 0) AS deliveries, coalesce(attempts, 0) AS attempts, coalesce(dead, 0) AS dead
    FROM met LEFT JOIN found USING (id) LEFT JOIN queued USING (id)
  ), chosen AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, greatest(sum(deliveries) FILTER (WHERE NOT stays) OVER up_to, sum(attempts) FILTER (WHERE NOT stays) OVER up_to)
        AS rows_so_far
      FROM judged WINDOW up_to AS (ORDER BY n)) AS weighed
    WHERE coalesce(rows_so_far, 0) <= $2
  ), delivery AS MATERIALIZED (
    SELECT id, ${column} AS origin_id FROM deliveries
    WHERE ${column} = ANY(ARRAY(SELECT id FROM chosen WHERE NOT stays AND deliveries > 0)) AND status <> 'PENDING'
    FOR UPDATE SKIP LOCKED
  ), entry AS MATERIALIZED (
    SELECT id, ${column} AS origin_id FROM outbox
    WHERE ${column} = ANY(ARRAY(SELECT id FROM chosen WHERE NOT stays AND dead > 0)) AND status <> 'PENDING'
    FOR UPDATE SKIP LOCKED
  ), leaving AS MATERIALIZED (
    SELECT id FROM chosen
    LEFT JOIN (SELECT origin_id AS id, count(*) AS locked FROM delivery GROUP BY 1) AS d USING (id)
    LEFT JOIN (SELECT origin_id AS id, count(*) AS locked FROM entry GROUP BY 1) AS o USING (id)
    WHERE NOT stays AND coalesce(d.locked, 0) = deliveries AND coalesce(o.locked, 0) = dead
  ), gone AS (
    DELETE FROM deliveries WHERE id = ANY(ARRAY(SELECT d.id FROM delivery d JOIN leaving ON leaving.id = d.origin_id))
    RETURNING id, stored_attempts, completed_at, last_attempt_at
  ), gone_entry AS (
    DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT o.id FROM entry o JOIN leaving ON leaving.id = o.origin_id)) RETURNING id
  ), last AS (
    SELECT id, created_at FROM ${table} WHERE id = (SELECT id FROM chosen ORDER BY n DESC LIMIT 1)
  )
  SELECT (SELECT count(*)::int FROM chosen) AS chosen, (SELECT id FROM last) AS last_id,
         (SELECT created_at::text FROM last) AS last_time,
         (SELECT array_agg(id) FROM leaving)::text AS ids, (SELECT count(*)::int FROM gone_entry) AS entries,
         count(*)::int AS deliveries, array_agg(id ORDER BY id)::text AS delivery_ids,
         array_agg(stored_attempts ORDER BY id)::text AS stored_attempts, max(greatest(completed_at, last_attempt_at)) AS touched_at
  FROM gone`;

/** $1 ids, locked before. */
export const deleteSql = ({ table }: Origin) => `DELETE FROM ${table} WHERE id = ANY(ARRAY(SELECT unnest($1::uuid[])))`;
