import type { DeliveryStatus } from '@/lib/delivery/schema';
import { enumOf, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

const DELIVERY_SQL = `
  SELECT d.id, d.status, d.event_id, d.incoming_event_id, e.type AS event_type, d.endpoint_id, d.destination_id,
         coalesce(ep.url, ds.url) AS target_url, ds.source_id, d.attempt_count, d.stored_attempts, d.next_attempt_at,
         d.last_attempt_at, d.last_response_status, d.last_error, d.completed_at, d.created_at
  FROM deliveries d
  LEFT JOIN events e ON e.id = d.event_id
  LEFT JOIN endpoints ep ON ep.id = d.endpoint_id
  LEFT JOIN destinations ds ON ds.id = d.destination_id`;

const DELIVERY = {
  id: uuid,
  status: enumOf<DeliveryStatus>('DeliveryStatus'),
  event_id: nullable(uuid),
  incoming_event_id: nullable(uuid),
  event_type: nullable(text),
  endpoint_id: nullable(uuid),
  destination_id: nullable(uuid),
  target_url: text,
  source_id: nullable(uuid),
  attempt_count: integer,
  stored_attempts: integer,
  next_attempt_at: nullable(timestamp),
  last_attempt_at: nullable(timestamp),
  last_response_status: nullable(integer),
  last_error: nullable(text),
  completed_at: nullable(timestamp),
  created_at: timestamp,
};
export type DeliveryRow = RowOf<typeof DELIVERY>;

/**
 * Conditions on a delivery `d`, as `selectDeliveries` describes them. What the last response was says whether it succeeded;
 * naming the status lets the planner use the index of the others.
 */
export const MATCHES_FILTER = `
     d.project_id = $1
     AND ($2::uuid IS NULL OR d.id < $2)
     AND ($3::"DeliveryStatus" IS NULL OR d.status = $3)
     AND ($4::uuid IS NULL OR d.endpoint_id = $4)
     AND ($5::uuid IS NULL OR d.event_id = $5)
     AND ($6::uuid IS NULL OR d.destination_id = $6)
     AND ($7::uuid IS NULL OR d.incoming_event_id = $7)
     AND ($8::uuid IS NULL OR d.id >= $8)
     AND ($9::uuid IS NULL OR d.id < $9)
     AND ($11::boolean IS NULL OR (d.attempt_count > 0) = $11)
     AND ($12::int IS NULL OR d.last_response_status BETWEEN $12 AND $13)
     AND ($12::int IS NULL OR $12 BETWEEN 200 AND 299 OR d.status <> 'SUCCEEDED')
     AND ($14::boolean IS NULL OR (d.last_response_status IS NULL AND d.attempt_count > 0 AND d.status <> 'SUCCEEDED'))
     AND ($15::uuid IS NULL OR d.id = $15 OR d.event_id = $15 OR d.incoming_event_id = $15)`;
const CHOSEN_SQL = `${DELIVERY_SQL}
   WHERE ${MATCHES_FILTER}`;

/**
 * Selects deliveries of project $1, newest first. $2 the cursor, $3 the status, $4 the endpoint, $5 the event, $6 the
 * destination, $7 the incoming event, $8 the lowest id and $9 the id after the highest; $11 whether there was an attempt;
 * $12 to $13 the range of the last status code; $14 whether there was no response; $15 the id of the delivery, the event or
 * the incoming event; null selects all. $10 how many.
 */
export const selectDeliveries = statement(`${CHOSEN_SQL} ORDER BY d.id DESC LIMIT $10`, DELIVERY);

/**
 * As `selectDeliveries`, but only those of events of type $16, or of a type that starts with $17; null selects all. A
 * statement of its own, because it needs the events and cannot start from the deliveries alone.
 */
export const selectDeliveriesByType = statement(
  `${CHOSEN_SQL} AND d.event_id IN (
     SELECT t.id FROM events t
     WHERE t.project_id = $1
       AND ($16::text IS NULL OR t.type = $16) AND ($17::text IS NULL OR starts_with(t.type, $17))
   )
   ORDER BY d.id DESC LIMIT $10`,
  DELIVERY,
);

/** Selects the deliveries of event $2 of project $1. */
export const selectDeliveriesOfEvent = statement(
  `${DELIVERY_SQL} WHERE d.project_id = $1 AND d.event_id = $2 ORDER BY d.id DESC LIMIT 1000`,
  DELIVERY,
);

/** Finds the outbox row of event $2 of project $1: it exists until all deliveries of the event are stored. */
export const findOutboxStatus = statement('SELECT status FROM outbox WHERE project_id = $1 AND event_id = $2', {
  status: enumOf<'PENDING' | 'DEAD'>('OutboxStatus'),
});

/**
 * Finds delivery $2 of project $1 and counts its attempts: dropping a partition of attempts does not update
 * stored_attempts. One statement, so that both see the same attempts.
 */
export const findDelivery = statement(
  `SELECT found.*, (SELECT count(*)::int FROM delivery_attempts a WHERE a.delivery_id = found.id) AS counted_attempts
   FROM (${DELIVERY_SQL} WHERE d.project_id = $1 AND d.id = $2) found`,
  { ...DELIVERY, counted_attempts: integer },
);

/** Makes delivery $2 of project $1 due and wakes the workers, unless its endpoint or destination is disabled or deleted. */
export const makeDue = statement(
  `WITH due AS (
     UPDATE deliveries d
     SET status = 'PENDING', next_attempt_at = now(), schedule_step = 0, completed_at = NULL
     WHERE d.project_id = $1 AND d.id = $2
       AND (EXISTS (SELECT FROM endpoints t WHERE t.id = d.endpoint_id AND t.enabled AND t.deleted_at IS NULL)
         OR EXISTS (SELECT FROM destinations t WHERE t.id = d.destination_id AND t.enabled AND t.deleted_at IS NULL))
     RETURNING d.id
   )
   SELECT pg_notify('eds_delivery', '') FROM due`,
);
