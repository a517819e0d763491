import { patternsOf } from '@/lib/delivery/engine/outbox/outbox-sql';
import type { DisableReason } from '@/lib/delivery/worker-counters';
import { bigint, boolean, jsonOf, nullable, text, textOf, texts, timestamp, uuid } from '@/lib/platform/sql/column';
import { type Columns, type RowOf, statement } from '@/lib/platform/sql/statement';
import { MAX_PATTERNS } from './routing-policy';

/** As many periods are kept of an endpoint: what is before the oldest of so many may have been forgotten. */
const KEPT_PERIODS = 1_000;

const COLUMNS = {
  id: uuid,
  url: text,
  customer_id: nullable(uuid),
  receives_customer_events: boolean,
  enabled: boolean,
  filter: nullable(text),
  created_at: timestamp,
  deleted_at: nullable(timestamp),
  routing_changed_at: nullable(timestamp),
  delivery_id: nullable(uuid),
  matching: jsonOf<{ pattern: string; enabled: boolean }[]>(),
  patterns: texts,
  period_starts_at: nullable(timestamp),
  period_ends_at: nullable(timestamp),
  period_reason: nullable(textOf<DisableReason>()),
  periods_known_from: nullable(timestamp),
};
export type RoutedRow = RowOf<typeof COLUMNS>;

const OF_EVENT = { project: uuid, event: uuid };

/** Selects what explains the way of an event to endpoints, newest first. @param found SQL for the ids of a few endpoints */
const routed = <P extends Columns>(found: string, params: P) =>
  statement(
    `
  WITH sent AS MATERIALIZED (
    SELECT e.created_at, e.customer_id, ARRAY(SELECT pattern FROM ${patternsOf('e')}) AS patterns
    FROM events e WHERE e.id = $event AND e.project_id = $project
  ), delivery AS MATERIALIZED (
    SELECT id, endpoint_id FROM deliveries WHERE event_id = $event AND project_id = $project AND endpoint_id IS NOT NULL
  )
  SELECT t.id, t.url, t.customer_id, t.receives_customer_events, t.enabled, t.filter, t.created_at, t.deleted_at, t.routing_changed_at,
    d.id AS delivery_id,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('pattern', s.event_type, 'enabled', s.enabled) ORDER BY length(s.event_type) DESC), '[]')
     FROM subscriptions s WHERE s.endpoint_id = t.id AND s.event_type = ANY(sent.patterns)) AS matching,
    ARRAY(SELECT s.event_type FROM subscriptions s WHERE s.endpoint_id = t.id AND s.enabled ORDER BY s.event_type LIMIT ${MAX_PATTERNS}) AS patterns,
    p.starts_at AS period_starts_at, p.ends_at AS period_ends_at, p.reason AS period_reason,
    (SELECT min(k.starts_at) FROM endpoint_disabled_periods k WHERE k.endpoint_id = t.id HAVING count(*) >= ${KEPT_PERIODS}) AS periods_known_from
  FROM sent CROSS JOIN LATERAL (${found}) f
  JOIN endpoints t ON t.id = f.id AND t.project_id = $project
  LEFT JOIN delivery d ON d.endpoint_id = t.id
  LEFT JOIN LATERAL (
    SELECT starts_at, ends_at, reason FROM endpoint_disabled_periods
    WHERE endpoint_id = t.id AND (ends_at IS NULL OR ends_at > sent.created_at) ORDER BY starts_at LIMIT 1) p ON true
  ORDER BY t.id DESC`,
    { params: { ...OF_EVENT, ...params }, columns: COLUMNS },
  );

const PAGE = { before: uuid, limit: bigint };

/** The ids of a page of some endpoints. OFFSET 0: the planner would read those of all projects, by id. */
const idsOf = (condition: string) => `
  (SELECT id FROM (SELECT id FROM endpoints WHERE project_id = $project AND ${condition} OFFSET 0) own
   WHERE id < $before ORDER BY id DESC LIMIT $limit)`;

const OF_CUSTOMER = idsOf('customer_id = sent.customer_id');
const WITH_DELIVERY = `
  (SELECT endpoint_id FROM delivery WHERE endpoint_id < $before ORDER BY endpoint_id DESC LIMIT $limit)`;
const pageOf = (...sets: string[]) =>
  `SELECT id FROM (${sets.join(' UNION ')}) found (id) ORDER BY id DESC LIMIT $limit`;

/** Selects a page of the endpoints of the project itself, of the event's customer, and of those that have a delivery of the event. */
export const selectRouted = routed(
  pageOf(
    idsOf('customer_id IS NULL AND deleted_at IS NULL'),
    idsOf('customer_id IS NULL AND deleted_at IS NOT NULL'),
    OF_CUSTOMER,
    WITH_DELIVERY,
  ),
  PAGE,
);

/** Selects a page of all endpoints of the project. */
export const selectAllRouted = routed(
  `SELECT id FROM endpoints WHERE (project_id, id) < ($project, $before) AND project_id = $project
   ORDER BY project_id DESC, id DESC LIMIT $limit`,
  PAGE,
);

/** Selects a page of the endpoints of the event's customer. */
export const selectRoutedOfCustomer = routed(OF_CUSTOMER, PAGE);

/** Finds an endpoint of the project, unless it is deleted. */
export const findRouted = routed(
  'SELECT id FROM endpoints WHERE id = $endpoint AND project_id = $project AND deleted_at IS NULL',
  { endpoint: uuid },
);

/** Finds what decides the way of an event. */
export const findRoutedEvent = statement(
  'SELECT type, created_at, customer_id FROM events WHERE id = $event AND project_id = $project',
  { params: OF_EVENT, columns: { type: text, created_at: timestamp, customer_id: nullable(uuid) } },
);

/** Finds the JSON text of an event's data. */
export const findPayload = statement('SELECT payload FROM events WHERE id = $event AND project_id = $project', {
  params: OF_EVENT,
  columns: { payload: text },
});
