import { IN_OUTBOX, PENDING_BY_TARGET, TARGET_ID, turnsOf } from '@/lib/delivery/pending';
import { TURN_ID } from '@/lib/events/turn-key';
import { byIndex } from '@/lib/platform/sql/bounded-scan';
import {
  bigint,
  boolean,
  enumOf,
  float,
  integer,
  integers,
  jsonOf,
  nullable,
  text,
  timestamp,
  timestamps,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import { KEPT_HOURS } from './kept-policy';
import { BUCKET_BOUNDS_MS } from './sum-stats';

/** Sums of 35 days, which may be above the highest int4. */
const SUMS = {
  events: nullable(float),
  incoming_verified: nullable(float),
  incoming_unsigned: nullable(float),
  incoming_rejected: nullable(float),
  succeeded: nullable(float),
  redirects: nullable(float),
  client_errors: nullable(float),
  server_errors: nullable(float),
  timeouts: nullable(float),
  no_responses: nullable(float),
  deliveries_failed: nullable(float),
};

const period = enumOf<'MINUTE' | 'HOUR' | 'DAY'>('StatPeriod');

/** The first buckets of a column of histograms, each summed over rows. */
export const bucketSums = (column: 'durations' | 'latencies', count: number) =>
  `ARRAY[${Array.from({ length: count }, (_, bucket) => `coalesce(sum(${column}[${bucket + 1}]), 0)`).join(', ')}]`;

/** The sum of histograms, as long as the longest of them. As JSON: the driver takes ten times as long to parse an array. */
const sumOfHistograms = (column: 'durations' | 'latencies') =>
  `to_json((${bucketSums(column, BUCKET_BOUNDS_MS.length + 1)})[:max(cardinality(${column}))])`;
const histogram = nullable(jsonOf<number[]>('json'));

/**
 * Selects the statistics of a project from a time on, below another one: a row for each bucket in which something happened. The first
 * bucket begins with `from`.
 */
export const selectStats = statement(
  `SELECT date_bin($bucketMs::float8 * interval '1 millisecond', starts_at, $from) AS starts_at,
          ${Object.keys(SUMS)
            .map((name) => `sum(${name})::float8 AS ${name}`)
            .join(', ')},
          ${sumOfHistograms('durations')} AS durations, ${sumOfHistograms('latencies')} AS latencies
   FROM stats
   WHERE project_id = $project AND subject_id = $project AND period = $period::"StatPeriod" AND starts_at >= $from AND starts_at < $to
   GROUP BY 1`,
  {
    params: { project: uuid, period, from: timestamp, to: timestamp, bucketMs: float },
    columns: { starts_at: nullable(timestamp), ...SUMS, durations: histogram, latencies: histogram },
  },
);
export type StatsRow = RowOf<typeof selectStats.columns>;

/** The failed attempts of a row. */
export const FAILED = 'redirects + client_errors + server_errors + timeouts + no_responses';

/**
 * Selects the targets of a project with the most failed attempts and deliveries in the periods of a time. Its condition is that of the
 * index of failures.
 *
 * Ranks by the newest periods of targets with failures, so that thousands of failing endpoints cost no more than hundreds, and
 * counts those that it returns exactly.
 */
export const selectFailingTargets = statement(
  `WITH failing AS (
     SELECT subject_id, sum(failed) AS failed, sum(deliveries_failed) AS deliveries_failed FROM (
       SELECT subject_id, ${FAILED} AS failed, deliveries_failed FROM stats
       WHERE project_id = $project AND period = $period::"StatPeriod" AND starts_at >= $from AND starts_at < $to
         AND subject_id <> project_id AND deliveries_failed + ${FAILED} > 0
       ORDER BY starts_at DESC LIMIT $newest) newest
     GROUP BY subject_id
   ), target AS (
     SELECT f.*, e.id AS endpoint_id, NULL::uuid AS destination_id, NULL::uuid AS source_id, e.url, e.enabled, e.failing_since
     FROM failing f JOIN endpoints e ON e.id = f.subject_id AND e.project_id = $project AND e.deleted_at IS NULL
     UNION ALL
     SELECT f.*, NULL, d.id, d.source_id, d.url, d.enabled, d.failing_since
     FROM failing f JOIN destinations d ON d.id = f.subject_id AND d.project_id = $project AND d.deleted_at IS NULL
   ), worst AS MATERIALIZED (SELECT * FROM target ORDER BY failed DESC, deliveries_failed DESC, subject_id LIMIT $limit)
   SELECT w.endpoint_id, w.destination_id, w.source_id, w.url, w.enabled, w.failing_since, exact.*
   FROM worst w CROSS JOIN LATERAL (
     SELECT coalesce(sum(${FAILED}), 0)::int AS failed, coalesce(sum(deliveries_failed), 0)::int AS deliveries_failed,
            coalesce(sum(succeeded), 0)::int AS succeeded
     FROM stats s
     WHERE s.project_id = $project AND s.period = $period::"StatPeriod" AND s.subject_id = w.subject_id
       AND s.starts_at >= $from AND s.starts_at < $to) exact
   ORDER BY exact.failed DESC, exact.deliveries_failed DESC, w.subject_id`,
  {
    params: { project: uuid, period, from: timestamp, to: timestamp, limit: bigint, newest: bigint },
    columns: {
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
  },
);

/** Turns whose outbox rows are probed. */
const MAX_TURNS = 1_000;

/** Waiting deliveries of customers whose endpoints are probed. */
const MAX_OF_CUSTOMERS = 5_000;

/**
 * Counts the deliveries of a project that are not settled, up to a limit, and selects when the oldest was due: one probe for each
 * target, since no index orders them by project. Of the endpoints of customers, which may be 100,000s, it probes those of the oldest
 * deliveries that wait.
 */
export const selectBacklog = statement(
  `SELECT (SELECT count(*)::int FROM (
       SELECT FROM deliveries
       WHERE status <> 'SUCCEEDED' AND (project_id, status) >= ($project, 'PENDING') AND (project_id, status) <= ($project, 'PENDING')
       ORDER BY project_id, status, id LIMIT $limit) p) AS waiting,
     least((SELECT min(due.next_attempt_at)
       FROM (SELECT id FROM endpoints WHERE project_id = $project AND deleted_at IS NULL AND customer_id IS NULL UNION ALL
             SELECT id FROM destinations WHERE project_id = $project AND deleted_at IS NULL UNION
             SELECT endpoint_id FROM (
               SELECT endpoint_id FROM deliveries
               WHERE status <> 'SUCCEEDED' AND (project_id, status) >= ($project, 'PENDING') AND (project_id, status) <= ($project, 'PENDING')
                 AND customer_id IS NOT NULL
               ORDER BY project_id, status, id LIMIT ${MAX_OF_CUSTOMERS}) w) t
       CROSS JOIN LATERAL (
         SELECT next_attempt_at FROM deliveries
         WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} = t.id AND next_attempt_at <= now()
         ORDER BY next_attempt_at LIMIT 1) due),
       (SELECT min(o.available_at) FROM (${turnsOf('$project', String(MAX_TURNS))}) t CROSS JOIN LATERAL (
          SELECT available_at FROM outbox
          WHERE ${IN_OUTBOX} AND project_id = $project AND ${TURN_ID} = t.id AND available_at <= now()
          ORDER BY available_at LIMIT 1) o)) AS oldest_due_at`,
  {
    params: { project: uuid, limit: bigint },
    columns: { waiting: nullable(integer), oldest_due_at: nullable(timestamp) },
  },
);

/** Selects which of some endpoints belong to a project. */
export const selectOwnEndpoints = statement(
  'SELECT id FROM endpoints WHERE project_id = $project AND id = ANY($endpoints::uuid[]) AND deleted_at IS NULL',
  { params: { project: uuid, endpoints: uuids }, columns: { id: uuid } },
);

/** Selects the hours of endpoints of a project from a time on, as one row for each endpoint: `hours` and their counts, and one histogram. */
export const selectEndpointHours = statement(
  `SELECT subject_id, array_agg(starts_at) AS hours, array_agg(succeeded) AS succeeded, array_agg(${FAILED}) AS failed,
          ${sumOfHistograms('durations')} AS durations
   FROM stats
   WHERE project_id = $project AND period = 'HOUR' AND subject_id = ANY($endpoints::uuid[]) AND starts_at >= $from
   GROUP BY subject_id`,
  {
    params: { project: uuid, endpoints: uuids, from: timestamp },
    columns: {
      subject_id: uuid,
      hours: nullable(timestamps),
      succeeded: nullable(integers),
      failed: nullable(integers),
      durations: histogram,
    },
  },
);

/** Selects the newest deliveries of each of some endpoints, newest first. */
export const selectLastDeliveries = statement(
  `SELECT d.id, t.endpoint_id, d.status, d.created_at FROM unnest($endpoints::uuid[]) AS t(endpoint_id)
   CROSS JOIN LATERAL (
     SELECT id, status, created_at FROM deliveries
     WHERE ${byIndex('endpoint_id', 't.endpoint_id')}
     ORDER BY deliveries.endpoint_id DESC, id DESC LIMIT $limit) d`,
  {
    params: { endpoints: uuids, limit: bigint },
    columns: {
      id: uuid,
      endpoint_id: nullable(uuid),
      status: enumOf<'PENDING' | 'SUCCEEDED' | 'FAILED'>('DeliveryStatus'),
      created_at: timestamp,
    },
  },
);

/**
 * Selects the periods of a target with attempts from a time on, oldest first: hours from `hoursFrom` on, days before that. A target
 * keeps 49 hours and 35 days.
 */
export const selectAttemptPeriods = statement(
  `SELECT starts_at, period, succeeded, (${FAILED})::int AS failed FROM stats
   WHERE project_id = $project AND subject_id = $target AND period = 'DAY' AND starts_at < $hoursFrom
   UNION ALL
   SELECT starts_at, period, succeeded, (${FAILED})::int FROM stats
   WHERE project_id = $project AND subject_id = $target AND period = 'HOUR' AND starts_at >= $hoursFrom
   ORDER BY starts_at`,
  {
    params: { project: uuid, target: uuid, hoursFrom: timestamp },
    columns: {
      starts_at: nullable(timestamp),
      period: nullable(period),
      succeeded: nullable(integer),
      failed: nullable(integer),
    },
  },
);

/** The index of deliveries by destination has those of destinations only: the condition says that it serves. */
type TargetColumn = 'endpoint_id' | 'destination_id';

/** Selects the first deliveries of a target in each of some ranges of ids that had an attempt. */
const samplesOf = (target: TargetColumn) =>
  statement(
    `SELECT d.id, d.status, d.attempt_count, d.completed_at FROM unnest($lowest::uuid[], $below::uuid[]) AS s(lowest, below)
     CROSS JOIN LATERAL (
       SELECT id, status, attempt_count, completed_at FROM deliveries
       WHERE (${target}, id) >= ($target, s.lowest) AND (${target}, id) < ($target, s.below) AND ${target} IS NOT NULL
       ORDER BY deliveries.${target}, id LIMIT $limit) d
     WHERE d.attempt_count > 0
     ORDER BY d.id`,
    {
      params: { target: uuid, lowest: uuids, below: uuids, limit: bigint },
      columns: {
        id: uuid,
        status: enumOf<'PENDING' | 'SUCCEEDED' | 'FAILED'>('DeliveryStatus'),
        attempt_count: integer,
        completed_at: nullable(timestamp),
      },
    },
  );

/** Selects when the first of the newest deliveries of a target succeeded after a time; null if none did. */
const firstSuccessOf = (target: TargetColumn) =>
  statement(
    `SELECT min(d.completed_at) AS completed_at FROM (
       SELECT status, completed_at FROM deliveries WHERE ${byIndex(target, '$target')} AND ${target} IS NOT NULL
       ORDER BY deliveries.${target} DESC, id DESC LIMIT $limit) d
     WHERE d.status = 'SUCCEEDED' AND d.completed_at > $after`,
    { params: { target: uuid, after: timestamp, limit: bigint }, columns: { completed_at: nullable(timestamp) } },
  );

export const selectSamples = { endpointId: samplesOf('endpoint_id'), destinationId: samplesOf('destination_id') };
export const selectFirstSuccess = {
  endpointId: firstSuccessOf('endpoint_id'),
  destinationId: firstSuccessOf('destination_id'),
};

/**
 * Counts the deliveries of a target that wait for another attempt, and selects when the next one is, for each of some ranges of ids and
 * for those in none. `examined` is how many pending ones it looked at: those that are due first, up to a limit.
 */
export const selectWaiting = statement(
  `WITH pending AS MATERIALIZED (
     SELECT id, attempt_count, next_attempt_at FROM deliveries
     WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} = $target ORDER BY next_attempt_at LIMIT $limit)
   SELECT o.n::int AS outage, count(*)::int AS count, min(p.next_attempt_at) AS next_attempt_at,
          (SELECT count(*)::int FROM pending) AS examined
   FROM pending p
   LEFT JOIN unnest($lowest::uuid[], $below::uuid[]) WITH ORDINALITY AS o(lowest, below, n) ON p.id >= o.lowest AND p.id < o.below
   WHERE p.attempt_count > 0
   GROUP BY o.n`,
  {
    params: { target: uuid, lowest: uuids, below: uuids, limit: bigint },
    columns: {
      outage: nullable(integer),
      count: nullable(integer),
      next_attempt_at: nullable(timestamp),
      examined: nullable(integer),
    },
  },
);

/** Takes the right to roll up until the end of the transaction, unless another worker has it. */
export const tryRollUpLock = statement(
  `SELECT pg_try_advisory_xact_lock(hashtextextended('stats ' || current_schema(), 0)) AS taken`,
  {
    columns: {
      taken: boolean,
    },
  },
);

const KEY = 'project_id, period, subject_id, starts_at';

/** The counters of `stats`, and what each counts. */
const CONDITIONS = {
  events: `kind = 'EVENT'`,
  incoming_verified: `kind = 'INCOMING_VERIFIED'`,
  incoming_unsigned: `kind = 'INCOMING_UNSIGNED'`,
  incoming_rejected: `kind = 'INCOMING_REJECTED'`,
  succeeded: `kind = 'SUCCEEDED'`,
  redirects: `kind = 'REDIRECT'`,
  client_errors: `kind = 'CLIENT_ERROR'`,
  server_errors: `kind = 'SERVER_ERROR'`,
  timeouts: `kind = 'TIMED_OUT'`,
  no_responses: `kind = 'NO_RESPONSE'`,
  deliveries_failed: 'is_last',
} as const;
const NAMES = Object.keys(CONDITIONS);

/** An attempt with its delivery: rows, entries of indexes, and what is kept of a response. Up to 16 KiB after a failure. */
const ATTEMPT_BYTES = 2_048;
const bytesOf = (condition: string) => `coalesce(sum(bytes) FILTER (WHERE ${condition}), 0)`;
const attemptBytes = (condition: string) => `count(*) FILTER (WHERE ${condition}) * ${ATTEMPT_BYTES}`;

/** The columns of `stored_bytes`, and what each sums. */
const SIZES = {
  events: bytesOf(`kind IN ('EVENT', 'DELIVERY_STORED')`),
  incoming_events: bytesOf(`kind IN ('INCOMING_VERIFIED', 'INCOMING_UNSIGNED', 'INCOMING_REJECTED')`),
  succeeded_attempts: attemptBytes(CONDITIONS.succeeded),
  failed_attempts: attemptBytes(`kind IN ('REDIRECT', 'CLIENT_ERROR', 'SERVER_ERROR', 'TIMED_OUT', 'NO_RESPONSE')`),
};
const SIZE_NAMES = Object.keys(SIZES);

/** The levels of `stats`. Targets have no latency, and days no durations: nothing shows them. */
const COUNTER_LEVELS =
  '(project_id, minute), (project_id, hour), (project_id, target_id, hour), (project_id, target_id, day)';
const HISTOGRAM_LEVELS = {
  durations: '(project_id, minute, bucket), (project_id, hour, bucket), (project_id, target_id, hour, bucket)',
  latencies: '(project_id, minute, bucket), (project_id, hour, bucket)',
};

/** The key of a row that was grouped by one of the levels. */
const placeOf = (day: string, target: string) =>
  `project_id, CASE WHEN grouping(minute) = 0 THEN 'MINUTE' ${day} ELSE 'HOUR' END::"StatPeriod" AS period,
   ${target} AS subject_id, coalesce(minute, hour${day === '' ? '' : ', day'}) AS starts_at`;
const IS_DAY = `WHEN grouping(day) = 0 THEN 'DAY'`;
const TARGET = 'CASE WHEN grouping(target_id) = 0 THEN target_id ELSE project_id END';

const sumOf = ([name, condition]: [string, string]) => `count(*) FILTER (WHERE ${condition})::int AS ${name}`;
const bucketsOf = (column: keyof typeof HISTOGRAM_LEVELS) =>
  `SELECT ${placeOf('', column === 'durations' ? TARGET : 'project_id')}, '${column}' AS name, bucket, count(*)::int AS count
   FROM (SELECT project_id, target_id, minute, hour, ${column} AS bucket FROM entry WHERE ${column} IS NOT NULL) e
   GROUP BY GROUPING SETS (${HISTOGRAM_LEVELS[column]})`;
const addedHistogram = (column: string) =>
  `${column} = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(s.${column}, excluded.${column})
                     WITH ORDINALITY AS t(a, b, n) ORDER BY n)`;
const rollUp = (lock: string) =>
  statement(
    `
  WITH oldest AS MATERIALIZED (
    SELECT id, sum(cardinality(project_ids)) OVER (ORDER BY id) - cardinality(project_ids) AS before
    FROM (SELECT id, project_ids FROM stat_batches ORDER BY id LIMIT $batches) b
  ), taken AS MATERIALIZED (
    DELETE FROM stat_batches WHERE id = ANY(ARRAY(SELECT id FROM oldest WHERE before < $results))
    RETURNING project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, bytes, created_at
  ), entry AS MATERIALIZED (
    SELECT e.project_id, e.target_id, e.kind, e.is_last, e.bytes, width_bucket(e.duration_ms, $bounds::int[]) AS durations,
           width_bucket(e.latency_ms, $bounds::int[]) AS latencies, t.minute, t.hour, t.day
    FROM (SELECT *, date_trunc('minute', created_at) AS minute, date_trunc('hour', created_at) AS hour,
                 date_trunc('day', created_at, 'UTC') AS day FROM taken OFFSET 0) t
    CROSS JOIN LATERAL unnest(project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, bytes)
      AS e(project_id, target_id, kind, is_last, duration_ms, latency_ms, bytes)
  ), live AS MATERIALIZED (
    SELECT p.id FROM projects p JOIN organizations o ON o.id = p.organization_id
    WHERE p.id = ANY(ARRAY(SELECT DISTINCT project_id FROM entry)) AND p.deleted_at IS NULL AND o.deleted_at IS NULL
    ORDER BY p.id ${lock}
  ), buckets AS (${bucketsOf('durations')} UNION ALL ${bucketsOf('latencies')}
  ), sparse AS (
    SELECT ${KEY}, name, array_agg(bucket) AS buckets, array_agg(count) AS counts, max(bucket) AS highest
    FROM buckets GROUP BY ${KEY}, name
  ), histogram AS (
    SELECT ${KEY}, name, ARRAY(
      SELECT coalesce(c.count, 0) FROM generate_series(0, highest) AS b(bucket)
      LEFT JOIN unnest(buckets, counts) AS c(bucket, count) ON c.bucket = b.bucket ORDER BY b.bucket) AS counts
    FROM sparse
  ), part AS (
    SELECT ${placeOf(IS_DAY, TARGET)}, ${Object.entries(CONDITIONS).map(sumOf).join(', ')},
           NULL::int[] AS durations, NULL::int[] AS latencies
    FROM entry GROUP BY GROUPING SETS (${COUNTER_LEVELS})
    UNION ALL
    SELECT ${KEY}, ${NAMES.map(() => '0').join(', ')}, CASE name WHEN 'durations' THEN counts END,
           CASE name WHEN 'latencies' THEN counts END
    FROM histogram
  ), stored AS (
    INSERT INTO stats AS s (${KEY}, ${NAMES.join(', ')}, durations, latencies)
    SELECT ${KEY}, ${NAMES.map((name) => `sum(${name})::int`).join(', ')}, coalesce(max(durations), '{}'),
           coalesce(max(latencies), '{}')
    FROM part
    WHERE project_id = ANY(ARRAY(SELECT id FROM live)) AND subject_id IS NOT NULL
      AND starts_at >= now() - CASE
        WHEN period = 'MINUTE' THEN interval '${KEPT_HOURS.minutes} hours'
        WHEN period = 'DAY' THEN interval '${KEPT_HOURS.targetDays} hours'
        WHEN subject_id = project_id THEN interval '${KEPT_HOURS.hours} hours'
        ELSE interval '${KEPT_HOURS.targetHours} hours' END
    GROUP BY ${KEY} ORDER BY ${KEY}
    ON CONFLICT (${KEY}) DO UPDATE SET
      ${NAMES.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')},
      ${addedHistogram('durations')}, ${addedHistogram('latencies')}
  ), sized AS (
    INSERT INTO stored_bytes AS s (project_id, day, ${SIZE_NAMES.join(', ')})
    SELECT project_id, (day AT TIME ZONE 'UTC')::date, ${Object.values(SIZES).join(', ')}
    FROM entry WHERE project_id = ANY(ARRAY(SELECT id FROM live)) AND kind <> 'NOT_SENT'
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (project_id, day) DO UPDATE SET ${SIZE_NAMES.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}
  )
  SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM oldest) AS seen`,
    {
      params: { batches: bigint, bounds: integers, results: bigint },
      columns: { taken: nullable(integer), seen: nullable(integer) },
    },
  );

/**
 * Adds the oldest batches to the statistics and removes them, in one statement: each is counted exactly once, whenever the process
 * dies. It looks at so many `batches`, and takes no further one after so many `results`. `bounds` are those of the histograms.
 *
 * Counters and histograms are merged by grouping: the planner, which does not know how many rows there are, would join them in a
 * nested loop.
 *
 * Projects are locked, so that a deletion waits for the rows that are inserted here; batches of deleted ones are only removed.
 */
export const rollUpBatches = rollUp('FOR KEY SHARE OF p');

/**
 * Does it without the lock, where the cell is on another machine: Citus would lock all projects and organizations, and the roll-ups of two
 * cells would deadlock. When a project is removed meanwhile, the foreign key refuses its rows, and the next run takes the batches again.
 */
export const rollUpBatchesUnlocked = rollUp('');
