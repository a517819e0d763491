import { boolean, enumOf, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

const LISTED = {
  ...{ id: uuid, type: text, created_at: timestamp },
  /** Null once the deliveries are stored. */
  outbox_status: nullable(enumOf<'PENDING' | 'DEAD'>('OutboxStatus')),
  ...{ queued: integer, retrying: integer, succeeded: integer, failed: integer },
};

/** Events of project $1 that match: $2 the cursor, $3 the type, $4 to $7 the period, $9 how the type starts, $10 the id. */
const CHOSEN_SQL = `
     SELECT id, type, created_at FROM events
     WHERE project_id = $1
       AND ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR type = $3)
       AND ($9::text IS NULL OR starts_with(type, $9))
       AND ($4::timestamptz IS NULL OR (created_at >= $4 AND id >= $6::uuid))
       AND ($5::timestamptz IS NULL OR (created_at <= $5 AND id <= $7::uuid))
       AND ($10::uuid IS NULL OR id = $10)`;

const withCounts = (chosen: string) => `
   SELECT e.id, e.type, e.created_at, d.queued, d.retrying, d.succeeded, d.failed,
     (SELECT o.status FROM outbox o WHERE o.event_id = e.id LIMIT 1) AS outbox_status
   FROM (${chosen} ORDER BY id DESC LIMIT $8) e
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE status = 'PENDING' AND attempt_count = 0)::int AS queued,
            count(*) FILTER (WHERE status = 'PENDING' AND attempt_count > 0)::int AS retrying,
            count(*) FILTER (WHERE status = 'SUCCEEDED')::int AS succeeded,
            count(*) FILTER (WHERE status = 'FAILED')::int AS failed
     FROM deliveries WHERE event_id = e.id
   ) d
   ORDER BY e.id DESC`;

/**
 * Selects events of project $1, newest first, with the counts of their deliveries. $2 the cursor, $3 the type, $4 and $5
 * the first and last time with $6 and $7 the bounds of their ids, $9 how the type starts, $10 the id; null selects all.
 * $8 how many.
 */
export const selectEvents = statement(withCounts(CHOSEN_SQL), LISTED);

/** The parameters of `selectEventsByDelivery` after those of `selectEvents`. */
const BY_DELIVERY_SQL = `
       AND EXISTS (
         SELECT FROM deliveries m
         WHERE m.project_id = $1 AND m.event_id = events.id
           AND ($11::"DeliveryStatus" IS NULL OR m.status = $11)
           AND ($12::boolean IS NULL OR (m.attempt_count > 0) = $12)
           AND ($13::uuid IS NULL OR m.endpoint_id = $13)
       )`;

/**
 * As `selectEvents`, but only events with a delivery of status $11 that had an attempt or not ($12), to endpoint $13; null
 * selects all. A statement of its own: behind an OR, the planner cannot start from the few deliveries that match.
 */
export const selectEventsByDelivery = statement(withCounts(CHOSEN_SQL + BY_DELIVERY_SQL), LISTED);

/** Selects one row when more than $8 events match the parameters of `selectEvents`, or of `selectEventsByDelivery`. */
export const selectEventBeyond = statement(`SELECT FROM (${CHOSEN_SQL} OFFSET $8 LIMIT 1) e`);
export const selectEventBeyondByDelivery = statement(
  `SELECT FROM (${CHOSEN_SQL}${BY_DELIVERY_SQL} OFFSET $8 LIMIT 1) e`,
);

/** Selects the types of the events of project $1, in order; $2 how many. Reads one index entry per type, however many events have it. */
export const selectEventTypes = statement(
  `WITH RECURSIVE seen AS (
     (SELECT type FROM events WHERE project_id = $1 ORDER BY type LIMIT 1)
     UNION ALL
     SELECT (SELECT type FROM events WHERE project_id = $1 AND type > seen.type ORDER BY type LIMIT 1)
     FROM seen WHERE seen.type IS NOT NULL
   )
   SELECT type FROM seen WHERE type IS NOT NULL LIMIT $2`,
  { type: text },
);

/** Finds the event of project $1 with Idempotency-Key $2. $3 the hash of the body that repeats the key. */
export const findFirstEvent = statement(
  `SELECT id, type, created_at, body_hash = $3 AS same_body FROM events
   WHERE project_id = $1 AND idempotency_key = $2`,
  { id: uuid, type: text, created_at: timestamp, same_body: nullable(boolean) },
);
export type FirstEvent = RowOf<typeof findFirstEvent.columns>;

export const findPayload = statement('SELECT payload FROM events WHERE project_id = $1 AND id = $2', { payload: text });
