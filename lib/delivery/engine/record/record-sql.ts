import type { TargetKind } from '@/lib/delivery/engine/types';
import { isPendingAfter, STORED_BYTES_SQL } from '@/lib/delivery/pending';
import type { DisableReason } from '@/lib/delivery/worker-counters';
import {
  binaryTexts,
  boolean,
  booleans,
  enumsOf,
  float,
  floats,
  integer,
  integers,
  nullable,
  text,
  textOf,
  texts,
  timestamps,
  uuid,
  uuids,
  withNulls,
  writtenIntegers,
} from '@/lib/platform/sql/column';
import { nowIf } from '@/lib/platform/sql/now';
import { type RowOf, statement, type ValuesOf } from '@/lib/platform/sql/statement';

/*
 * Deliveries are stored only while their outbox row exists: an erasure removes it, and waits until this statement has
 * ended (docs/decisions/023-a-delivery-is-written-once.md). The row is removed with its last delivery, unless another
 * worker has taken it meanwhile.
 *
 * `o.id = ANY($entryIds)` repeats the join: a plan made while the outbox is nearly empty would read all of it.
 */
const ENTRIES_SQL = `
  entry AS (
    SELECT * FROM unnest($entryIds::uuid[], $takes::int[], $areComplete::boolean[]) AS e(id, takes, is_complete)
  ), removed AS (
    DELETE FROM outbox o USING entry e WHERE o.id = e.id AND o.id = ANY($entryIds)
      AND e.is_complete AND o.attempts = e.takes RETURNING o.id
  ), held AS (
    -- Locked in a subquery: Citus cannot read what a CTE has that locks rows itself.
    SELECT id FROM (
      SELECT o.id FROM outbox o JOIN entry e ON e.id = o.id
      WHERE o.id = ANY($entryIds) AND NOT (e.is_complete AND o.attempts = e.takes) ORDER BY o.id FOR KEY SHARE OF o) locked
  ), existing AS MATERIALIZED (SELECT id FROM removed UNION ALL SELECT id FROM held)`;

const ENTRIES_PARAMS = {
  entryIds: uuids,
  takes: integers,
  /** Whether the last deliveries of the row are stored here. */
  areComplete: booleans,
};
export type EntriesValues = ValuesOf<typeof ENTRIES_PARAMS>;

const DELIVERIES_PARAMS = {
  outboxIds: withNulls(uuids),
  deliveryIds: uuids,
  projectIds: uuids,
  eventIds: withNulls(uuids),
  incomingEventIds: withNulls(uuids),
  endpointIds: withNulls(uuids),
  destinationIds: withNulls(uuids),
  /** Empty when all are null: a shorter array stands for nulls. */
  customerIds: withNulls(uuids),
};
export type DeliveriesValues = ValuesOf<typeof DELIVERIES_PARAMS>;

/** Stores deliveries as pending. */
export const insertDeliveries = statement(
  `
  WITH ${ENTRIES_SQL}, durability AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
  stored AS (
  INSERT INTO deliveries (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, customer_id, next_attempt_at)
  SELECT d.id, d.project_id, d.event_id, d.incoming_event_id, d.endpoint_id, d.destination_id, d.customer_id,
         now() + make_interval(secs => $dueInSeconds)
  FROM durability, unnest($outboxIds::uuid[], $deliveryIds::uuid[], $projectIds::uuid[], $eventIds::uuid[],
                          $incomingEventIds::uuid[], $endpointIds::uuid[], $destinationIds::uuid[], $customerIds::uuid[])
    AS d(outbox_id, id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, customer_id)
  JOIN existing ON existing.id = d.outbox_id
  ORDER BY d.id
  ON CONFLICT (id) DO NOTHING
  RETURNING project_id
  ), ${STORED_BYTES_SQL}
  SELECT FROM stored`,
  { params: { ...ENTRIES_PARAMS, dueInSeconds: float, ...DELIVERIES_PARAMS }, name: 'store-deliveries' },
);

/** Removes outbox rows, unless they have been taken again. */
export const deleteEntries = statement(
  `DELETE FROM outbox o USING unnest($entryIds::uuid[], $takes::int[]) AS e(id, takes)
   WHERE o.id = e.id AND o.id = ANY($entryIds) AND o.attempts = e.takes`,
  { params: { entryIds: uuids, takes: integers } },
);

/*
 * What the statements that record attempts have in common. Each has a CTE `result` with its parameters, and a CTE `recorded` with
 * the deliveries whose result counts.
 */

/**
 * The commit does not wait for the disk: if a crash of the database loses a record, the delivery is sent again, at least once as
 * promised. The statements count the attempts themselves; a trigger counts those that others insert.
 */
const SETTINGS_SQL = `settings AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true), set_config('event_delivery.attempts_counted', 'on', true))`;

/** What an attempt counts as. */
export type AttemptKind = 'SUCCEEDED' | 'TIMED_OUT' | 'NO_RESPONSE' | 'REDIRECT' | 'CLIENT_ERROR' | 'SERVER_ERROR';

const ATTEMPTS_PARAMS = {
  haveSucceeded: booleans,
  /** Seconds until the retry; null without one. */
  retrySeconds: withNulls(floats),
  startTimes: timestamps,
  durationsMs: integers,
  statuses: withNulls(integers),
  bodies: binaryTexts,
  errors: binaryTexts,
  attemptIds: uuids,
  requestParts: binaryTexts,
  responseHeaders: binaryTexts,
  remoteAddresses: binaryTexts,
  dnsUs: writtenIntegers,
  connectUs: writtenIntegers,
  tlsUs: writtenIntegers,
  firstByteUs: writtenIntegers,
};
export type AttemptsValues = ValuesOf<typeof ATTEMPTS_PARAMS>;

const STATS_PARAMS = {
  targetIds: uuids,
  kinds: enumsOf<AttemptKind>('StatKind'),
  /** Whether it was the last attempt of the delivery's schedule. */
  areLast: booleans,
  /** Milliseconds from the event's creation to its success; null without one. */
  latenciesMs: withNulls(integers),
};
export type StatsValues = ValuesOf<typeof STATS_PARAMS>;

const COUNTED_ARRAYS = `$projectIds::uuid[], $targetIds::uuid[], $kinds::"StatKind"[], $areLast::boolean[],
           $durationsMs::int[], $latenciesMs::int[]`;

/**
 * Queues what was recorded for the statistics. The parameters themselves are stored, unless a result was too late: arranging
 * them by row costs three times as much (docs/decisions/042-stats-are-rolled-up-from-a-queue.md).
 */
const COUNTED_SQL = `counted AS (
    INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms)
    SELECT ${COUNTED_ARRAYS}
    FROM (SELECT count(*) AS rows FROM recorded) r
    WHERE r.rows = cardinality($deliveryIds::uuid[])
    UNION ALL
    SELECT array_agg(c.project_id), array_agg(c.target_id), array_agg(c.kind), array_agg(c.is_last),
           array_agg(c.duration_ms), array_agg(c.latency_ms)
    FROM (SELECT count(*) AS rows FROM recorded) r
    CROSS JOIN unnest($deliveryIds::uuid[], ${COUNTED_ARRAYS})
      AS c(id, project_id, target_id, kind, is_last, duration_ms, latency_ms)
    WHERE r.rows < cardinality($deliveryIds::uuid[]) AND c.id IN (SELECT id FROM recorded)
    HAVING count(*) > 0
  )`;

/** Inserts the attempts of `recorded` deliveries. */
const insertAttemptsSql = (attemptNumber: string) => `
  INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status,
                                 response_body, error, succeeded, request_parts, response_headers, remote_address,
                                 dns_us, connect_us, tls_us, first_byte_us)
  SELECT r.attempt_id, d.project_id, r.delivery_id, ${attemptNumber}, r.started_at, r.duration_ms, r.response_status,
         r.response_body, r.error, r.succeeded, r.request_parts, r.response_headers, r.remote_address,
         r.dns_us, r.connect_us, r.tls_us, r.first_byte_us
  FROM recorded d JOIN result r ON r.delivery_id = d.id
  RETURNING delivery_id`;

const RECORDED = { delivery_id: uuid };

/**
 * Stores deliveries together with their first attempts, so that most deliveries are written once. Also removes the outbox
 * rows whose deliveries are all stored.
 *
 * Another worker may have stored the delivery meanwhile, after the end of the lease: the first result counts.
 */
export const insertFirstAttempts = statement(
  `
  WITH ${ENTRIES_SQL}, result AS (
    SELECT * FROM unnest($outboxIds::uuid[], $deliveryIds::uuid[], $projectIds::uuid[], $eventIds::uuid[],
                         $incomingEventIds::uuid[], $endpointIds::uuid[], $destinationIds::uuid[], $customerIds::uuid[], $agesSeconds::float8[],
                         $haveSucceeded::boolean[], $retrySeconds::float8[], $startTimes::timestamptz[], $durationsMs::int[],
                         $statuses::int[], $bodies::text[], $errors::text[], $attemptIds::uuid[], $requestParts::text[],
                         $responseHeaders::text[], $remoteAddresses::text[],
                         $dnsUs::int[], $connectUs::int[], $tlsUs::int[], $firstByteUs::int[])
      AS r(outbox_id, delivery_id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, customer_id,
           age_seconds, succeeded, retry_seconds, started_at, duration_ms, response_status,
           response_body, error, attempt_id, request_parts, response_headers, remote_address,
           dns_us, connect_us, tls_us, first_byte_us)
  ), ${SETTINGS_SQL}, recorded AS (
    INSERT INTO deliveries AS d (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, customer_id, status,
                                 attempt_count, schedule_step, stored_attempts, next_attempt_at, last_attempt_at,
                                 last_response_status, last_error, completed_at, created_at)
    SELECT r.delivery_id, r.project_id, r.event_id, r.incoming_event_id, r.endpoint_id, r.destination_id, r.customer_id,
           CASE WHEN r.succeeded THEN 'SUCCEEDED'::"DeliveryStatus" WHEN r.retry_seconds IS NULL THEN 'FAILED' ELSE 'PENDING' END,
           1, 1, 1, CASE WHEN NOT r.succeeded THEN now() + make_interval(secs => r.retry_seconds) END, r.started_at,
           r.response_status, r.error, CASE WHEN r.succeeded OR r.retry_seconds IS NULL THEN now() END,
           now() - make_interval(secs => r.age_seconds)
    FROM settings, result r JOIN existing ON existing.id = r.outbox_id
    ORDER BY r.delivery_id
    ON CONFLICT (id) DO UPDATE SET
      status = excluded.status, attempt_count = 1, schedule_step = 1, stored_attempts = d.stored_attempts + 1,
      next_attempt_at = excluded.next_attempt_at, last_attempt_at = excluded.last_attempt_at,
      last_response_status = excluded.last_response_status, last_error = excluded.last_error,
      completed_at = excluded.completed_at
    WHERE d.status = 'PENDING' AND d.attempt_count = 0
    RETURNING d.id, d.project_id
  ), ${COUNTED_SQL}${insertAttemptsSql('1')}`,
  {
    params: {
      ...ENTRIES_PARAMS,
      ...DELIVERIES_PARAMS,
      /** Since the lease of the delivery began. */
      agesSeconds: floats,
      ...ATTEMPTS_PARAMS,
      ...STATS_PARAMS,
    },
    columns: RECORDED,
    name: 'record-first-attempts',
  },
);

/**
 * Inserts attempts of stored deliveries and updates the deliveries.
 *
 * The attempt number is a fencing token: a result counts only if its attempt is the next one of a pending delivery. So a result
 * after the end of its lease changes nothing, and no success is undone.
 *
 * A delivery that was retried by hand during the attempt has a new schedule: the attempt is recorded, and the retry stays due.
 *
 * Locks the deliveries in the order of their ids, as replays do: the update alone would lock them in any order, and deadlock with a
 * replay.
 */
export const insertAttempts = statement(
  `
  WITH result AS (
    SELECT *, now() + make_interval(secs => retry_seconds) AS retry_at FROM unnest($deliveryIds::uuid[], $attemptNumbers::int[], $scheduleSteps::int[],
                         $haveSucceeded::boolean[], $retrySeconds::float8[], $startTimes::timestamptz[], $durationsMs::int[],
                         $statuses::int[], $bodies::text[], $errors::text[], $attemptIds::uuid[], $requestParts::text[],
                         $responseHeaders::text[], $remoteAddresses::text[],
                         $dnsUs::int[], $connectUs::int[], $tlsUs::int[], $firstByteUs::int[])
      AS r(delivery_id, attempt_number, schedule_step, succeeded, retry_seconds, started_at, duration_ms,
           response_status, response_body, error, attempt_id, request_parts, response_headers, remote_address,
           dns_us, connect_us, tls_us, first_byte_us)
  ), held AS MATERIALIZED (
    SELECT id FROM deliveries WHERE id = ANY($deliveryIds) ORDER BY id FOR NO KEY UPDATE
  ), ${SETTINGS_SQL}, recorded AS (
    UPDATE deliveries d SET
      attempt_count = r.attempt_number,
      stored_attempts = d.stored_attempts + 1,
      schedule_step = CASE WHEN d.schedule_step = r.schedule_step THEN d.schedule_step + 1 ELSE d.schedule_step END,
      status = CASE WHEN r.succeeded THEN 'SUCCEEDED'::"DeliveryStatus"
                    WHEN r.retry_seconds IS NULL AND d.schedule_step = r.schedule_step THEN 'FAILED'
                    ELSE 'PENDING' END,
      next_attempt_at = CASE WHEN r.succeeded THEN NULL
                             WHEN d.schedule_step <> r.schedule_step THEN d.next_attempt_at
                             ELSE r.retry_at END,
      completed_at = ${nowIf('r.succeeded OR (r.retry_seconds IS NULL AND d.schedule_step = r.schedule_step)')},
      last_attempt_at = r.started_at, last_response_status = r.response_status, last_error = r.error
    FROM result r, settings
    WHERE d.id = r.delivery_id AND d.id = ANY(ARRAY(SELECT id FROM held)) AND ${isPendingAfter('r.attempt_number - 1')}
    RETURNING d.id, d.project_id
  ), ${COUNTED_SQL}${insertAttemptsSql('r.attempt_number')}`,
  {
    params: {
      deliveryIds: uuids,
      attemptNumbers: integers,
      scheduleSteps: integers,
      ...ATTEMPTS_PARAMS,
      projectIds: uuids,
      ...STATS_PARAMS,
    },
    columns: RECORDED,
    name: 'record-attempts',
  },
);

type Table = 'endpoints' | 'destinations';
type TargetColumn = 'endpoint_id' | 'destination_id';

/** Makes a statement for each kind of target. */
const byKind = <T>(make: (table: Table, targetColumn: TargetColumn) => T): Readonly<Record<TargetKind, T>> => ({
  endpoint: make('endpoints', 'endpoint_id'),
  destination: make('destinations', 'destination_id'),
});

/** Locks rows by id before the UPDATE, which alone would lock them in any order and could deadlock. */
const setFailingSince = (value: 'NULL' | 'now()', condition: string) =>
  byKind((table) =>
    statement(
      `WITH locked AS MATERIALIZED (
         SELECT id FROM ${table} WHERE id = ANY($targets) AND ${condition} ORDER BY id FOR NO KEY UPDATE)
       UPDATE ${table} t SET failing_since = ${value} FROM locked WHERE t.id = locked.id`,
      { params: { targets: uuids } },
    ),
  );

/** Notes that targets work. */
export const endFailures = setFailingSince('NULL', 'failing_since IS NOT NULL');
/** Notes that targets fail from now on, unless they did before. */
export const beginFailures = setFailingSince('now()', 'failing_since IS NULL');
/** Notes that targets fail from now on, even if they did before. */
export const restartFailures = setFailingSince('now()', 'true');

/** A target may have millions of deliveries. Only a success of the moment when `failing_since` was set has not cleared it. */
const NEWEST_DELIVERIES = 1_000;
/** Targets that a record judges: the others are judged with their next failures. Its results belong to other tenants, too. */
const MAX_JUDGED = 20;

/** Selects some of the targets that have failed for so many hours, and whether one of their newest deliveries has succeeded since. */
export const selectFailing = byKind((table, targetColumn) =>
  statement(
    `SELECT t.id, EXISTS (
       SELECT FROM (
         SELECT d.status, d.completed_at FROM deliveries d WHERE d.${targetColumn} = t.id
         ORDER BY d.${targetColumn} DESC, d.id DESC LIMIT ${NEWEST_DELIVERIES}) newest
       WHERE newest.status = 'SUCCEEDED' AND newest.completed_at >= t.failing_since) AS has_succeeded
     FROM ${table} t
     WHERE t.id = ANY($targets) AND t.enabled AND t.failing_since <= now() - make_interval(hours => $hours)
     LIMIT ${MAX_JUDGED}`,
    { params: { targets: uuids, hours: integer }, columns: { id: uuid, has_succeeded: boolean } },
  ),
);

export const selectUrls = byKind((table) =>
  statement(`SELECT id, url FROM ${table} WHERE id = ANY($targets)`, {
    params: { targets: uuids },
    columns: { id: uuid, url: text },
  }),
);

const DISABLED = {
  id: uuid,
  reason: textOf<DisableReason>(),
  url: text,
  project_id: uuid,
  project_name: text,
  organization_id: uuid,
};
export type DisabledTarget = RowOf<typeof DISABLED>;

/** Disables targets for the reason at the same place, except those that another worker has disabled. */
export const disable = byKind((table) =>
  statement(
    `WITH locked AS MATERIALIZED (
       SELECT t.id, asked.reason FROM unnest($targets::uuid[], $reasons::text[]) asked (id, reason) JOIN ${table} t ON t.id = asked.id
       WHERE t.enabled AND t.deleted_at IS NULL ORDER BY t.id FOR NO KEY UPDATE OF t)
     UPDATE ${table} t
     SET enabled = false, disabled_reason = locked.reason, disabled_at = now(), updated_at = now()
     FROM locked, projects p
     WHERE t.id = locked.id AND p.id = t.project_id
     RETURNING t.id, locked.reason, t.url, p.id AS project_id, p.name AS project_name, p.organization_id`,
    { params: { targets: uuids, reasons: texts }, columns: DISABLED },
  ),
);

/**
 * Says to the triggers of attempts that these are counted. The statements say it themselves, but Citus calls their functions where the
 * session is, and not on the machine that has the triggers.
 */
export const sayCounted = statement(`SET LOCAL event_delivery.attempts_counted = 'on'`);

/** Makes the commit of this transaction wait for the disk: records of attempts are committed without. */
export const commitDurably = statement('SET LOCAL synchronous_commit = on');

/**
 * Selects the first owners of each organization whose address is verified, each with those of the projects for which an alert tells them
 * of disabled endpoints.
 */
export const selectOwners = statement(
  `SELECT o.id AS organization_id, u.id, u.email, ARRAY(
     SELECT a.project_id FROM alerts a
     WHERE a.user_id = u.id AND a.project_id = ANY($projects) AND a.enabled AND 'ENDPOINT_DISABLED' = ANY(a.triggers)
       AND coalesce(a.muted_until <= now(), true)) AS alerted_projects
   FROM unnest($organizations::uuid[]) o (id), LATERAL (
     SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = o.id AND m.role = 'OWNER' AND u.erased_at IS NULL AND u.email_verified_at IS NOT NULL
     ORDER BY u.id LIMIT $most::int) u
   ORDER BY o.id, u.id`,
  {
    params: { organizations: uuids, projects: uuids, most: integer },
    columns: { organization_id: uuid, id: uuid, email: text, alerted_projects: nullable(uuids) },
  },
);
