import type { TargetKind } from '@/lib/delivery/engine/types';
import { boolean, text, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/*
 * Deliveries are stored only while their outbox row exists: an erasure removes it, and waits until this statement has
 * ended (docs/decisions/023-a-delivery-is-written-once.md). The row is removed with its last delivery, unless another
 * worker has taken it meanwhile.
 *
 * $1 outbox rows, $2 their takes, $3 whether their last deliveries are stored here.
 */
const ENTRIES_SQL = `
  entry AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::boolean[]) AS e(id, takes, is_complete)
  ), removed AS (
    DELETE FROM outbox o USING entry e WHERE o.id = e.id AND e.is_complete AND o.attempts = e.takes RETURNING o.id
  ), held AS (
    SELECT o.id FROM outbox o JOIN entry e ON e.id = o.id
    WHERE NOT (e.is_complete AND o.attempts = e.takes) ORDER BY o.id FOR KEY SHARE OF o
  ), existing AS MATERIALIZED (SELECT id FROM removed UNION ALL SELECT id FROM held)`;

/** Stores deliveries $4 to $10 as pending, due in $11 seconds. $1 to $3 as above. */
export const insertDeliveries = statement(
  `
  WITH ${ENTRIES_SQL}, durability AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO deliveries (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, next_attempt_at)
  SELECT d.id, d.project_id, d.event_id, d.incoming_event_id, d.endpoint_id, d.destination_id,
         now() + make_interval(secs => $11)
  FROM durability, unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[])
    AS d(outbox_id, id, project_id, event_id, incoming_event_id, endpoint_id, destination_id)
  JOIN existing ON existing.id = d.outbox_id
  ORDER BY d.id
  ON CONFLICT (id) DO NOTHING`,
  {},
  { name: 'store-deliveries' },
);

/** Removes outbox rows $1, unless they have been taken more often than $2. */
export const deleteEntries = statement(
  'DELETE FROM outbox o USING unnest($1::uuid[], $2::int[]) AS e(id, takes) WHERE o.id = e.id AND o.attempts = e.takes',
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

/** The parameters of `countedSql`, by name. */
interface CountedParameters {
  deliveryIds: string;
  projectIds: string;
  targetIds: string;
  kinds: string;
  areLast: string;
  durationsMs: string;
  latenciesMs: string;
}

/**
 * Queues what was recorded for the statistics. The parameters themselves are stored, unless a result was too late: arranging
 * them by row costs three times as much (docs/decisions/042-stats-are-rolled-up-from-a-queue.md).
 */
function countedSql({ deliveryIds, ...columns }: CountedParameters): string {
  const parameters = Object.values(columns);
  return `counted AS (
    INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms)
    SELECT ${parameters.join(', ')} FROM (SELECT count(*) AS rows FROM recorded) r
    WHERE r.rows = cardinality(${deliveryIds})
    UNION ALL
    SELECT ${parameters.map((_, index) => `array_agg(c${index})`).join(', ')}
    FROM (SELECT count(*) AS rows FROM recorded) r
    CROSS JOIN unnest(${deliveryIds}, ${parameters.join(', ')}) AS c(id, ${parameters.map((_, index) => `c${index}`).join(', ')})
    WHERE r.rows < cardinality(${deliveryIds}) AND c.id IN (SELECT id FROM recorded)
    HAVING count(*) > 0
  )`;
}

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
 * rows whose deliveries are all stored. $1 to $3 as above.
 *
 * Another worker may have stored the delivery meanwhile, after the end of the lease: the first result counts.
 */
export const insertFirstAttempts = statement(
  `
  WITH ${ENTRIES_SQL}, result AS (
    SELECT * FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[],
                         $11::float8[], $12::boolean[], $13::float8[], $14::timestamptz[], $15::int[], $16::int[],
                         $17::text[], $18::text[], $19::uuid[], $20::text[], $21::text[], $22::text[],
                         $23::int[], $24::int[], $25::int[], $26::int[])
      AS r(outbox_id, delivery_id, project_id, event_id, incoming_event_id, endpoint_id, destination_id,
           age_seconds, succeeded, retry_seconds, started_at, duration_ms, response_status,
           response_body, error, attempt_id, request_parts, response_headers, remote_address,
           dns_us, connect_us, tls_us, first_byte_us)
  ), ${SETTINGS_SQL}, recorded AS (
    INSERT INTO deliveries AS d (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, status,
                                 attempt_count, schedule_step, stored_attempts, next_attempt_at, last_attempt_at,
                                 last_response_status, last_error, completed_at, created_at)
    SELECT r.delivery_id, r.project_id, r.event_id, r.incoming_event_id, r.endpoint_id, r.destination_id,
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
  ), ${countedSql({
    deliveryIds: '$5::uuid[]',
    projectIds: '$6::uuid[]',
    targetIds: '$27::uuid[]',
    kinds: '$28::"StatKind"[]',
    areLast: '$29::boolean[]',
    durationsMs: '$15::int[]',
    latenciesMs: '$30::int[]',
  })}${insertAttemptsSql('1')}`,
  RECORDED,
  { name: 'record-first-attempts' },
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
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::boolean[], $5::float8[], $6::timestamptz[], $7::int[],
                         $8::int[], $9::text[], $10::text[], $11::uuid[], $12::text[], $13::text[], $14::text[],
                         $15::int[], $16::int[], $17::int[], $18::int[])
      AS r(delivery_id, attempt_number, schedule_step, succeeded, retry_seconds, started_at, duration_ms,
           response_status, response_body, error, attempt_id, request_parts, response_headers, remote_address,
           dns_us, connect_us, tls_us, first_byte_us)
  ), held AS MATERIALIZED (
    SELECT id FROM deliveries WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
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
                             ELSE now() + make_interval(secs => r.retry_seconds) END,
      completed_at = CASE WHEN r.succeeded OR (r.retry_seconds IS NULL AND d.schedule_step = r.schedule_step)
                          THEN now() END,
      last_attempt_at = r.started_at, last_response_status = r.response_status, last_error = r.error
    FROM result r, settings
    WHERE d.id = r.delivery_id AND d.id = ANY(ARRAY(SELECT id FROM held))
      AND d.status = 'PENDING' AND d.attempt_count = r.attempt_number - 1
    RETURNING d.id, d.project_id
  ), ${countedSql({
    deliveryIds: '$1::uuid[]',
    projectIds: '$23::uuid[]',
    targetIds: '$19::uuid[]',
    kinds: '$20::"StatKind"[]',
    areLast: '$21::boolean[]',
    durationsMs: '$7::int[]',
    latenciesMs: '$22::int[]',
  })}${insertAttemptsSql('r.attempt_number')}`,
  RECORDED,
  { name: 'record-attempts' },
);

type Table = 'endpoints' | 'destinations';
type TargetColumn = 'endpoint_id' | 'destination_id';

/** Makes a statement for each kind of target. */
const byKind = <T>(make: (table: Table, targetColumn: TargetColumn) => T): Readonly<Record<TargetKind, T>> => ({
  endpoint: make('endpoints', 'endpoint_id'),
  destination: make('destinations', 'destination_id'),
});

/** Locks rows by id before the UPDATE, which alone would lock them in any order and could deadlock. $1 targets. */
const setFailingSince = (value: 'NULL' | 'now()', condition: string) =>
  byKind((table) =>
    statement(
      `WITH locked AS MATERIALIZED (
         SELECT id FROM ${table} WHERE id = ANY($1) AND ${condition} ORDER BY id FOR NO KEY UPDATE)
       UPDATE ${table} t SET failing_since = ${value} FROM locked WHERE t.id = locked.id`,
    ),
  );

/** Notes that targets $1 work. */
export const endFailures = setFailingSince('NULL', 'failing_since IS NOT NULL');
/** Notes that targets $1 fail from now on, unless they did before. */
export const beginFailures = setFailingSince('now()', 'failing_since IS NULL');
/** Notes that targets $1 fail from now on, even if they did before. */
export const restartFailures = setFailingSince('now()', 'true');

/** Selects those of targets $1 that have failed for $2 hours. */
export const selectFailing = byKind((table, targetColumn) =>
  statement(
    `SELECT t.id, EXISTS (SELECT FROM deliveries d WHERE d.${targetColumn} = t.id AND d.status = 'SUCCEEDED'
                          AND d.completed_at >= t.failing_since) AS has_succeeded
     FROM ${table} t
     WHERE t.id = ANY($1) AND t.enabled AND t.failing_since <= now() - make_interval(hours => $2)`,
    { id: uuid, has_succeeded: boolean },
  ),
);

const DISABLED = { url: text, project_id: uuid, project_name: text, organization_id: uuid };
export type DisabledTarget = RowOf<typeof DISABLED>;

/** Disables target $1 for the reason $2, unless another worker has. */
export const disable = byKind((table) =>
  statement(
    `UPDATE ${table} t
     SET enabled = false, disabled_reason = $2, disabled_at = now(), updated_at = now()
     FROM projects p
     WHERE t.id = $1 AND t.enabled AND t.deleted_at IS NULL AND p.id = t.project_id
     RETURNING t.url, p.id AS project_id, p.name AS project_name, p.organization_id`,
    DISABLED,
  ),
);

/** Makes the commit of this transaction wait for the disk: records of attempts are committed without. */
export const commitDurably = statement('SET LOCAL synchronous_commit = on');

/** Selects the owners of an organization. */
export const selectOwners = statement(
  `SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = $1 AND m.role = 'OWNER' AND u.erased_at IS NULL ORDER BY u.id`,
  { id: uuid, email: text },
);
