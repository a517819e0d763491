import { byIndex } from '@/lib/platform/sql/bounded-scan';
import { boolean, enumOf, integer, integers, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

const COUNTERS = {
  events: integer,
  incoming_verified: integer,
  incoming_unsigned: integer,
  incoming_rejected: integer,
  succeeded: integer,
  redirects: integer,
  client_errors: integer,
  server_errors: integer,
  timeouts: integer,
  no_responses: integer,
  deliveries_failed: integer,
};

const COLUMNS = { starts_at: timestamp, ...COUNTERS, durations: nullable(integers), latencies: nullable(integers) };

/** Selects the statistics of subject $2 of project $1: a row for each period $3 from $4 on, below $5. */
export const selectStats = statement(
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM stats
   WHERE project_id = $1 AND subject_id = $2 AND period = $3::"StatPeriod" AND starts_at >= $4 AND starts_at < $5
   ORDER BY starts_at`,
  COLUMNS,
);
export type StatsRow = RowOf<typeof selectStats.columns>;

const FAILED = 'redirects + client_errors + server_errors + timeouts + no_responses';

/**
 * Selects the targets of project $1 with the most failed attempts and deliveries in the periods $2 from $3 on, below $4, $5 at
 * most. Its condition is that of the index of failures.
 *
 * Ranks by the newest $6 periods of targets with failures, so that thousands of failing endpoints cost no more than hundreds, and
 * counts those that it returns exactly.
 */
export const selectFailingTargets = statement(
  `WITH failing AS (
     SELECT subject_id, sum(failed) AS failed, sum(deliveries_failed) AS deliveries_failed FROM (
       SELECT subject_id, ${FAILED} AS failed, deliveries_failed FROM stats
       WHERE project_id = $1 AND period = $2::"StatPeriod" AND starts_at >= $3 AND starts_at < $4
         AND subject_id <> project_id AND deliveries_failed + ${FAILED} > 0
       ORDER BY starts_at DESC LIMIT $6) newest
     GROUP BY subject_id
   ), target AS (
     SELECT f.*, e.id AS endpoint_id, NULL::uuid AS destination_id, NULL::uuid AS source_id, e.url, e.enabled, e.failing_since
     FROM failing f JOIN endpoints e ON e.id = f.subject_id AND e.project_id = $1 AND e.deleted_at IS NULL
     UNION ALL
     SELECT f.*, NULL, d.id, d.source_id, d.url, d.enabled, d.failing_since
     FROM failing f JOIN destinations d ON d.id = f.subject_id AND d.project_id = $1 AND d.deleted_at IS NULL
   ), worst AS MATERIALIZED (SELECT * FROM target ORDER BY failed DESC, deliveries_failed DESC, subject_id LIMIT $5)
   SELECT w.endpoint_id, w.destination_id, w.source_id, w.url, w.enabled, w.failing_since, exact.*
   FROM worst w CROSS JOIN LATERAL (
     SELECT coalesce(sum(${FAILED}), 0)::int AS failed, coalesce(sum(deliveries_failed), 0)::int AS deliveries_failed,
            coalesce(sum(succeeded), 0)::int AS succeeded
     FROM stats s
     WHERE s.project_id = $1 AND s.period = $2::"StatPeriod" AND s.subject_id = w.subject_id
       AND s.starts_at >= $3 AND s.starts_at < $4) exact
   ORDER BY exact.failed DESC, exact.deliveries_failed DESC, w.subject_id`,
  {
    endpoint_id: nullable(uuid),
    destination_id: nullable(uuid),
    source_id: nullable(uuid),
    url: text,
    enabled: boolean,
    failing_since: nullable(timestamp),
    failed: nullable(integer),
    deliveries_failed: nullable(integer),
    succeeded: nullable(integer),
  },
);
export type FailingTargetRow = RowOf<typeof selectFailingTargets.columns>;

/**
 * Counts the deliveries of project $1 that are not settled, up to $2, and selects when the oldest was due: one probe for each
 * target, since no index orders them by project.
 */
export const selectBacklog = statement(
  `SELECT (SELECT count(*)::int FROM (
       SELECT FROM deliveries
       WHERE status <> 'SUCCEEDED' AND (project_id, status) >= ($1, 'PENDING') AND (project_id, status) <= ($1, 'PENDING')
       ORDER BY project_id, status, id LIMIT $2) p) AS waiting,
     least((SELECT min(due.next_attempt_at)
       FROM (SELECT id FROM endpoints WHERE project_id = $1 AND deleted_at IS NULL UNION ALL
             SELECT id FROM destinations WHERE project_id = $1 AND deleted_at IS NULL) t
       CROSS JOIN LATERAL (
         SELECT d.next_attempt_at FROM deliveries d
         WHERE d.status = 'PENDING' AND coalesce(d.endpoint_id, d.destination_id) = t.id AND d.next_attempt_at <= now()
         ORDER BY d.next_attempt_at LIMIT 1) due),
       (SELECT min(available_at) FROM outbox
        WHERE project_id = $1 AND status = 'PENDING' AND kind <> 'MAIL' AND available_at <= now())) AS oldest_due_at`,
  { waiting: nullable(integer), oldest_due_at: nullable(timestamp) },
);

/** Selects which of the endpoints $2 belong to project $1. */
export const selectOwnEndpoints = statement(
  'SELECT id FROM endpoints WHERE project_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL',
  { id: uuid },
);

/** Selects the hours of the endpoints $2 of project $1 from $3 on. */
export const selectEndpointHours = statement(
  `SELECT subject_id, starts_at, succeeded, (${FAILED})::int AS failed, durations FROM stats
   WHERE project_id = $1 AND period = 'HOUR' AND subject_id = ANY($2::uuid[]) AND starts_at >= $3
   ORDER BY subject_id, starts_at`,
  {
    subject_id: uuid,
    starts_at: timestamp,
    succeeded: integer,
    failed: nullable(integer),
    durations: nullable(integers),
  },
);

/**
 * Selects the newest $2 deliveries of each of the endpoints $1, newest first.
 */
export const selectLastDeliveries = statement(
  `SELECT d.id, t.endpoint_id, d.status, d.created_at FROM unnest($1::uuid[]) AS t(endpoint_id)
   CROSS JOIN LATERAL (
     SELECT id, status, created_at FROM deliveries
     WHERE ${byIndex('endpoint_id', 't.endpoint_id')}
     ORDER BY deliveries.endpoint_id DESC, id DESC LIMIT $2) d`,
  {
    id: uuid,
    endpoint_id: nullable(uuid),
    status: enumOf<'PENDING' | 'SUCCEEDED' | 'FAILED'>('DeliveryStatus'),
    created_at: timestamp,
  },
);
