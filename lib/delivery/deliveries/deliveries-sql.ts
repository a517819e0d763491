import { PENDING_BY_TARGET, STORED_BYTES_SQL, TARGET_ID } from '@/lib/delivery/pending';
import type { DeliveryStatus } from '@/lib/delivery/schema';
import { cellChannelSql } from '@/lib/platform/cells/cell-channel';
import type { Details } from '@/lib/platform/sql/bounded-scan';
import {
  bigint,
  boolean,
  enumOf,
  integer,
  knownToBeSet,
  nullable,
  text,
  texts,
  timestamp,
  uuid,
  uuids,
  withNulls,
} from '@/lib/platform/sql/column';
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

const BEFORE = `SELECT * FROM deliveries WHERE project_id = $project AND event_id = $event AND id < $before OFFSET 0`;

/** Selects deliveries of an event, newest first: those before an id. OFFSET 0: a sort could read all deliveries of the project by id. */
export const selectDeliveriesOfEvent = statement(
  `${deliveriesIn(`(SELECT * FROM (${BEFORE}) of_event ORDER BY id DESC LIMIT $limit)`)} ORDER BY d.id DESC`,
  { params: { project: uuid, event: uuid, before: uuid, limit: bigint }, columns: COLUMNS },
);

/** Finds out whether an event has data of more bytes, or more deliveries, without reading them. */
export const findLargeEvent = statement(
  `SELECT 1 AS found FROM events WHERE project_id = $project AND id = $event AND octet_length(payload) > $bytes
   UNION ALL
   (SELECT 1 FROM deliveries WHERE project_id = $project AND event_id = $event OFFSET $deliveries LIMIT 1)`,
  { params: { project: uuid, event: uuid, bytes: integer, deliveries: bigint }, columns: { found: integer } },
);

/** Finds the outbox row of an event: it exists until all deliveries of the event are stored. */
export const findOutboxStatus = statement(
  'SELECT status FROM outbox WHERE project_id = $project AND event_id = $event',
  {
    params: { project: uuid, event: uuid },
    columns: { status: enumOf<'PENDING' | 'DEAD'>('OutboxStatus') },
  },
);

/**
 * Finds a delivery and counts its attempts: dropping a partition of attempts does not update stored_attempts. One statement, so that
 * both see the same attempts.
 */
export const findDelivery = statement(
  `SELECT found.*, (SELECT count(*)::int FROM delivery_attempts a WHERE a.delivery_id = found.id) AS counted_attempts
   FROM (${deliveriesIn('deliveries')} WHERE d.project_id = $project AND d.id = $delivery) found`,
  { params: { project: uuid, delivery: uuid }, columns: { ...COLUMNS, counted_attempts: integer } },
);

/** Makes a delivery due, unless its endpoint or destination is disabled or deleted. */
export const makeDue = statement(
  `UPDATE deliveries d
   SET status = 'PENDING', next_attempt_at = now(), schedule_step = 0, completed_at = NULL
   WHERE d.project_id = $project AND d.id = $delivery
     AND (EXISTS (SELECT FROM endpoints t WHERE t.id = d.endpoint_id AND t.enabled AND t.deleted_at IS NULL)
       OR EXISTS (SELECT FROM destinations t WHERE t.id = d.destination_id AND t.enabled AND t.deleted_at IS NULL))
   RETURNING ${TARGET_ID} AS target_id`,
  { params: { project: uuid, delivery: uuid }, columns: { target_id: knownToBeSet(uuid) } },
);

/** Locks events of a project, in the order of ids, and stores the deliveries of those that exist as due now, unless they exist. */
export const insertMissing = statement(
  `WITH locked AS MATERIALIZED (
     SELECT id FROM events WHERE project_id = $project AND id = ANY($events::uuid[]) ORDER BY id FOR KEY SHARE
   ), stored AS (
     INSERT INTO deliveries (id, project_id, event_id, endpoint_id, customer_id, next_attempt_at)
     SELECT w.id, $project, w.event_id, w.endpoint_id, w.customer_id, now()
     FROM unnest($deliveries::uuid[], $events::uuid[], $endpoints::uuid[], $customers::uuid[])
       AS w(id, event_id, endpoint_id, customer_id)
     JOIN locked ON locked.id = w.event_id
     ORDER BY w.id
     ON CONFLICT (id) DO NOTHING
     RETURNING id, project_id, endpoint_id
   ), ${STORED_BYTES_SQL}
   SELECT id, endpoint_id FROM stored`,
  {
    params: { project: uuid, deliveries: uuids, events: uuids, endpoints: uuids, customers: withNulls(uuids) },
    columns: { id: uuid, endpoint_id: knownToBeSet(uuid) },
  },
);

/** Due deliveries that targets of one batch may have together. */
const MAX_DUE_TOGETHER = 10_000;

/** Returns whether a target has at least so many due deliveries, or all of them have many together. Looks at no further one then. */
export const areTargetsCrowded = statement(
  `SELECT coalesce(max(due) >= $most OR sum(due) >= ${MAX_DUE_TOGETHER}, false) AS crowded FROM (
     SELECT count(*) AS due FROM (
       SELECT t.id FROM unnest($targets::uuid[]) AS t(id) CROSS JOIN LATERAL (
         SELECT FROM deliveries WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} = t.id AND next_attempt_at <= now() LIMIT $most) d
       LIMIT ${MAX_DUE_TOGETHER}) looked_at
     GROUP BY id) counted`,
  { params: { targets: uuids, most: bigint }, columns: { crowded: boolean } },
);

/** A notification has less than 8,000 bytes. */
const MAX_NAMED_TARGETS = 200;

/**
 * Wakes the workers when the transaction commits. Names targets of a project with due deliveries, so that they need not search for them:
 * `project:target,target`, or `project` when they are too many.
 */
export const notifyDeliveries = statement(
  `SELECT pg_notify(${cellChannelSql('eds_delivery')}, concat_ws(':', $project::uuid,
     CASE WHEN count(DISTINCT id) <= ${MAX_NAMED_TARGETS} THEN string_agg(DISTINCT id::text, ',') END))
   FROM unnest($targets::uuid[]) AS t(id)`,
  { params: { project: uuid, targets: uuids } },
);

/**
 * Finds an attempt of a delivery, with the URL of its target; the URL is null if it has changed since. A forward also has the
 * headers that its source checks or has checked. Partitions are searched by delivery, which the primary key starts with.
 */
export const findAttempt = statement(
  `
  SELECT a.id, a.attempt_number, a.started_at, a.duration_ms, a.response_status, a.response_body, a.error, a.succeeded,
         a.request_parts, a.response_headers, a.remote_address, a.dns_us, a.connect_us, a.tls_us, a.first_byte_us,
         d.event_id, d.incoming_event_id, array_remove(s.earlier_signature_headers || ARRAY[s.signature_header], NULL) AS signature_headers,
         CASE WHEN coalesce(ep.url_changed_at, ds.url_changed_at) > a.started_at THEN NULL
              ELSE coalesce(ep.url, ds.url) END AS url
  FROM deliveries d
  JOIN delivery_attempts a ON a.delivery_id = d.id
  LEFT JOIN endpoints ep ON ep.id = d.endpoint_id
  LEFT JOIN destinations ds ON ds.id = d.destination_id
  LEFT JOIN sources s ON s.id = ds.source_id
  WHERE d.project_id = $project AND d.id = $delivery AND a.id = $attempt`,
  {
    params: { project: uuid, delivery: uuid, attempt: uuid },
    columns: {
      id: uuid,
      attempt_number: integer,
      started_at: timestamp,
      duration_ms: integer,
      response_status: nullable(integer),
      response_body: nullable(text),
      error: nullable(text),
      succeeded: boolean,
      request_parts: nullable(text),
      response_headers: nullable(text),
      remote_address: nullable(text),
      dns_us: nullable(integer),
      connect_us: nullable(integer),
      tls_us: nullable(integer),
      first_byte_us: nullable(integer),
      event_id: nullable(uuid),
      incoming_event_id: nullable(uuid),
      signature_headers: texts,
      url: nullable(text),
    },
  },
);
