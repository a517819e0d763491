import type { DeliveryStatus } from '@/lib/delivery/schema';
import type { Details } from '@/lib/platform/sql/bounded-scan';
import { enumOf, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

const deliveriesIn = (table: string) => `
  SELECT d.id, d.status, d.event_id, d.incoming_event_id, e.type AS event_type, d.endpoint_id, d.destination_id,
         coalesce(ep.url, ds.url) AS target_url, ds.source_id, d.attempt_count, d.stored_attempts, d.next_attempt_at,
         d.last_attempt_at, d.last_response_status, d.last_error, d.completed_at, d.created_at
  FROM ${table} d
  LEFT JOIN events e ON e.id = d.event_id
  LEFT JOIN endpoints ep ON ep.id = d.endpoint_id
  LEFT JOIN destinations ds ON ds.id = d.destination_id`;

const COLUMNS = {
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
export type DeliveryRow = RowOf<typeof COLUMNS>;

/** What lists show of deliveries. */
export const DELIVERY: Details<typeof COLUMNS> = {
  sql: deliveriesIn('found'),
  columns: COLUMNS,
};

/** Selects the deliveries of event $2 of project $1. */
export const selectDeliveriesOfEvent = statement(
  `${deliveriesIn('deliveries')} WHERE d.project_id = $1 AND d.event_id = $2 ORDER BY d.id DESC LIMIT 1000`,
  COLUMNS,
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
   FROM (${deliveriesIn('deliveries')} WHERE d.project_id = $1 AND d.id = $2) found`,
  { ...COLUMNS, counted_attempts: integer },
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
