import { boolean, integer, nullable } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { KEPT_HOURS } from './kept-policy';

/** Takes the right to roll up until the end of the transaction, unless another worker has it. */
export const tryRollUpLock = statement(`SELECT pg_try_advisory_xact_lock(hashtextextended('stats', 0)) AS taken`, {
  taken: boolean,
});

const KEY = 'project_id, period, subject_id, starts_at';

/** The counters of `stats`, and what each counts. */
const COUNTERS = {
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
const NAMES = Object.keys(COUNTERS);

/** An attempt with its delivery: rows, entries of indexes, and what is kept of a response. Up to 16 KiB after a failure. */
const ATTEMPT_BYTES = 2_048;
const bytesOf = (condition: string) => `coalesce(sum(bytes) FILTER (WHERE ${condition}), 0)`;
const attemptBytes = (condition: string) => `count(*) FILTER (WHERE ${condition}) * ${ATTEMPT_BYTES}`;

/** The columns of `stored_bytes`, and what each sums. */
const SIZES = {
  events: bytesOf(COUNTERS.events),
  incoming_events: bytesOf(`kind IN ('INCOMING_VERIFIED', 'INCOMING_UNSIGNED', 'INCOMING_REJECTED')`),
  succeeded_attempts: attemptBytes(COUNTERS.succeeded),
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
/**
 * Adds the oldest batches to the statistics and removes them, in one statement: each is counted exactly once, whenever the process
 * dies. $1 how many it looks at, $2 the bounds of the histograms, $3 the results after which it takes no further batch.
 *
 * Counters and histograms are merged by grouping: the planner, which does not know how many rows there are, would join them in a
 * nested loop.
 *
 * Projects are locked, so that a deletion waits for the rows that are inserted here; batches of deleted ones are only removed.
 */
export const rollUpBatches = statement(
  `
  WITH oldest AS MATERIALIZED (
    SELECT id, sum(cardinality(project_ids)) OVER (ORDER BY id) - cardinality(project_ids) AS before
    FROM (SELECT id, project_ids FROM stat_batches ORDER BY id LIMIT $1) b
  ), taken AS MATERIALIZED (
    DELETE FROM stat_batches WHERE id = ANY(ARRAY(SELECT id FROM oldest WHERE before < $3))
    RETURNING project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, bytes, created_at
  ), entry AS MATERIALIZED (
    SELECT e.project_id, e.target_id, e.kind, e.is_last, e.bytes, width_bucket(e.duration_ms, $2::int[]) AS durations,
           width_bucket(e.latency_ms, $2::int[]) AS latencies, t.minute, t.hour, t.day
    FROM (SELECT *, date_trunc('minute', created_at) AS minute, date_trunc('hour', created_at) AS hour,
                 date_trunc('day', created_at, 'UTC') AS day FROM taken OFFSET 0) t
    CROSS JOIN LATERAL unnest(project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, bytes)
      AS e(project_id, target_id, kind, is_last, duration_ms, latency_ms, bytes)
  ), live AS MATERIALIZED (
    SELECT p.id FROM projects p JOIN organizations o ON o.id = p.organization_id
    WHERE p.id = ANY(ARRAY(SELECT DISTINCT project_id FROM entry)) AND p.deleted_at IS NULL AND o.deleted_at IS NULL
    ORDER BY p.id FOR KEY SHARE OF p
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
    SELECT ${placeOf(IS_DAY, TARGET)}, ${Object.entries(COUNTERS).map(sumOf).join(', ')},
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
  { taken: nullable(integer), seen: nullable(integer) },
);
