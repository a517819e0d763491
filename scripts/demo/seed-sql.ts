import { boolean, integer } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** The columns of a batch that counts attempts `a` of deliveries `d`, but for its time. */
export const ATTEMPTS_AS_BATCH = `array_agg(a.project_id), array_agg(coalesce(d.endpoint_id, d.destination_id)),
            array_agg(CASE WHEN a.succeeded THEN 'SUCCEEDED'
                           WHEN a.error LIKE 'No % within %' THEN 'TIMED_OUT'
                           WHEN a.response_status BETWEEN 300 AND 399 THEN 'REDIRECT'
                           WHEN a.response_status BETWEEN 400 AND 499 THEN 'CLIENT_ERROR'
                           WHEN a.response_status >= 500 THEN 'SERVER_ERROR'
                           ELSE 'NO_RESPONSE' END::"StatKind"),
            array_agg(d.status = 'FAILED' AND d.attempt_count = a.attempt_number), array_agg(a.duration_ms),
            array_agg(CASE WHEN a.succeeded AND d.event_id IS NOT NULL AND d.attempt_count = d.schedule_step THEN
              least(2147483647, greatest(0, extract(epoch FROM a.started_at) * 1000 + a.duration_ms -
                ('x' || translate(left(d.id::text, 13), '-', ''))::bit(48)::bigint))::int END)`;

/** Locks project $1, and returns whether its history was written already. $2 the highest id of an event of yesterday. */
export const lockForHistory = statement(
  `SELECT EXISTS (SELECT FROM events e WHERE e.project_id = p.id AND e.id < $2::uuid) AS written
   FROM projects p WHERE p.id = $1 FOR UPDATE`,
  { written: boolean },
);

/** For the transaction: the statements below count attempts themselves. */
export const countAttemptsHere = statement(`SET LOCAL event_delivery.attempts_counted = 'on'`);

/** Inserts events of project $1. $2 ids, $3 types, $4 payloads, $5 times. */
export const insertEvents = statement(
  `INSERT INTO events (id, project_id, type, payload, created_at)
   SELECT id, $1, type, payload, at FROM unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) AS e(id, type, payload, at)`,
);

/**
 * Inserts incoming events of project $1. $2 ids, $3 sources, $4 verified, $5 headers, $6 content types, $7 bodies, $8 times, $9 ids
 * of the provider. */
export const insertIncoming = statement(
  `INSERT INTO incoming_events (id, project_id, source_id, verified, method, content_type, headers, body, size, created_at,
     provider_event_id)
   SELECT id, $1, source_id, verified, 'POST', content_type, headers, body, length(body), at, event_id
   FROM unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::text[], $6::text[], $7::bytea[], $8::timestamptz[], $9::text[])
     AS i(id, source_id, verified, headers, content_type, body, at, event_id)`,
);

/**
 * Inserts deliveries of project $1. $2 ids, $3 events or incoming events, $4 targets, $5 whether each is a forward, $6 states, $7
 * numbers of attempts, $8 next times, $9 times of the last attempts, $10 their statuses, $11 their errors, $12 times, $13 numbers of the attempts that are stored.
 */
export const insertDeliveries = statement(
  `INSERT INTO deliveries (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, status, attempt_count,
     schedule_step, stored_attempts, next_attempt_at, last_attempt_at, last_response_status, last_error, completed_at, created_at)
   SELECT id, $1, CASE WHEN NOT forward THEN source END, CASE WHEN forward THEN source END,
          CASE WHEN NOT forward THEN target END, CASE WHEN forward THEN target END, status, attempts, attempts, stored,
          next_at, last_at, last_status, last_error, CASE WHEN status <> 'PENDING' THEN last_at END, at
   FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::boolean[], $6::"DeliveryStatus"[], $7::int[], $8::timestamptz[],
               $9::timestamptz[], $10::int[], $11::text[], $12::timestamptz[], $13::int[])
     AS d(id, source, target, forward, status, attempts, next_at, last_at, last_status, last_error, at, stored)`,
);

/**
 * Inserts attempts of project $1. $2 ids, $3 deliveries, $4 numbers, $5 starts, $6 durations, $7 statuses, $8 bodies, $9 errors, $10
 * request parts, $11 response headers, $12 the remote address, $13 microseconds to connect and $14 to the first byte.
 */
export const insertAttempts = statement(
  `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status,
     response_body, error, succeeded, created_at, request_parts, response_headers, remote_address, connect_us, first_byte_us)
   SELECT id, $1, delivery, number, at, duration, status, body, error, error IS NULL,
          at + duration * interval '1 millisecond', parts, headers, $12, connect, first_byte
   FROM unnest($2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::int[], $7::int[], $8::text[], $9::text[], $10::text[],
               $11::text[], $13::int[], $14::int[])
     AS a(id, delivery, number, at, duration, status, body, error, parts, headers, connect, first_byte)`,
);

/** Statistics keep minutes for two days, and hours before that. */
const slotOf = (time: string) =>
  `date_trunc(CASE WHEN ${time} > now() - interval '50 hours' THEN 'minute' ELSE 'hour' END, ${time})`;

/**
 * Queues attempts of project $1 for the statistics, also those that are not stored. $2 deliveries, $3 numbers, $4 starts, $5
 * durations, $6 statuses, $7 errors.
 */
export const queueAttemptStats = statement(
  `INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, created_at)
   SELECT ${ATTEMPTS_AS_BATCH}, ${slotOf('a.created_at')}
   FROM (SELECT *, $1::uuid AS project_id, error IS NULL AS succeeded,
                started_at + duration_ms * interval '1 millisecond' AS created_at
         FROM unnest($2::uuid[], $3::int[], $4::timestamptz[], $5::int[], $6::int[], $7::text[])
           AS u(delivery_id, attempt_number, started_at, duration_ms, response_status, error)) a
   JOIN deliveries d ON d.id = a.delivery_id
   GROUP BY ${slotOf('a.created_at')}`,
);

/** Queues the events and incoming events of project $1 for the statistics. */
export const queueEventStats = statement(
  `INSERT INTO stat_batches (project_ids, kinds, created_at)
   SELECT array_agg(project_id), array_agg(kind), slot FROM (
     SELECT project_id, 'EVENT'::"StatKind" AS kind, ${slotOf('created_at')} AS slot FROM events WHERE project_id = $1
     UNION ALL
     SELECT project_id, (CASE WHEN verified THEN 'INCOMING_VERIFIED' WHEN verified IS NULL THEN 'INCOMING_UNSIGNED'
                              ELSE 'INCOMING_REJECTED' END)::"StatKind", ${slotOf('created_at')}
     FROM incoming_events WHERE project_id = $1) AS e
   GROUP BY slot`,
);

/**
 * Inserts requests to tunnel $2 of project $1. $3 ids, $4 paths, $5 statuses, $6 errors, $7 bodies, $8 durations, $9 times, $10
 * request headers.
 */
export const insertTunnelRequests = statement(
  `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, response_status, duration_ms, request_size,
     response_size, error, request_headers, request_body, response_headers, response_body, created_at)
   SELECT id, $1, $2, 'POST', path, status, duration, length(body), CASE WHEN status IS NOT NULL THEN 2 END, error,
          headers, body,
          CASE WHEN status IS NOT NULL THEN '[["content-type","text/plain"],["x-powered-by","Express"]]' END,
          CASE WHEN status IS NOT NULL THEN 'ok'::bytea END, at
   FROM unnest($3::uuid[], $4::text[], $5::int[], $6::text[], $7::bytea[], $8::int[], $9::timestamptz[], $10::text[])
     AS r(id, path, status, error, body, duration, at, headers)`,
);

/** Sets the state of endpoint $2 of project $1: $3 failing since, $4 the reason why it is disabled, $5 off since, $6 why it is paused. */
export const setEndpointState = statement(
  `UPDATE endpoints SET failing_since = $3::timestamptz,
     disabled_reason = $4::text, enabled = enabled AND $5::timestamptz IS NULL, disabled_at = $5,
     pause_reason = $6::text
   WHERE project_id = $1 AND id = $2`,
);

/** Adds a colleague to organization $1: $2 id, $3 address, $4 the address when that is taken, $5 name, $6 role, $7 since. */
export const insertColleague = statement(
  `WITH u AS (INSERT INTO users (id, email, name, email_verified_at, created_at)
              VALUES ($2, CASE WHEN EXISTS (SELECT FROM users WHERE email = $3) THEN $4 ELSE $3 END, $5, $7, $7) RETURNING id)
   INSERT INTO memberships (organization_id, user_id, role, created_at) SELECT $1, id, $6::"Role", $7 FROM u`,
);

/**
 * Inserts audit entries of organization $1. $2 ids, $3 actions, $4 types and $5 ids of actors, $6 their addresses, $7 types and $8
 * ids of targets, $9 details, $10 times.
 */
export const insertAudit = statement(
  `INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, ip_address, target_type, target_id, details, created_at)
   SELECT id, $1, action, actor, actor_id, address, type, target, details::jsonb, at
   FROM unnest($2::uuid[], $3::text[], $4::"ActorType"[], $5::uuid[], $6::text[], $7::text[], $8::uuid[], $9::text[],
               $10::timestamptz[])
     AS a(id, action, actor, actor_id, address, type, target, details, at)`,
);

/** Counts the organizations that are not deleted, other than $1. */
export const countOtherOrganizations = statement(
  'SELECT count(*)::int AS count FROM organizations WHERE deleted_at IS NULL AND id IS DISTINCT FROM $1::uuid',
  { count: integer },
);
