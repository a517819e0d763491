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

const sumOf = ([name, condition]: [string, string]) =>
  `coalesce(sum(entries) FILTER (WHERE ${condition}), 0)::int AS ${name}`;
const bucketsOf = (column: string) =>
  `SELECT ${KEY}, '${column}' AS name, ${column} AS bucket, sum(entries)::int AS count
   FROM placed WHERE ${column} IS NOT NULL GROUP BY ${KEY}, ${column}`;
const addedHistogram = (column: string) =>
  `${column} = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(s.${column}, excluded.${column})
                     WITH ORDINALITY AS t(a, b, n) ORDER BY n)`;
const since = (hours: number) => `now() - interval '${hours} hours'`;

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
    RETURNING project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, created_at
  ), grouped AS MATERIALIZED (
    SELECT e.project_id, e.target_id, e.kind, coalesce(e.is_last, false) AS is_last,
           width_bucket(e.duration_ms, $2::int[]) AS durations, width_bucket(e.latency_ms, $2::int[]) AS latencies,
           date_trunc('minute', t.created_at) AS minute, count(*) AS entries
    FROM taken t
    CROSS JOIN LATERAL unnest(project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms)
      AS e(project_id, target_id, kind, is_last, duration_ms, latency_ms)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), live AS MATERIALIZED (
    SELECT p.id FROM projects p JOIN organizations o ON o.id = p.organization_id
    WHERE p.id = ANY(ARRAY(SELECT DISTINCT project_id FROM grouped)) AND p.deleted_at IS NULL AND o.deleted_at IS NULL
    ORDER BY p.id FOR KEY SHARE OF p
  ), placed AS MATERIALIZED (
    SELECT g.*, s.period, s.subject_id, s.starts_at
    FROM grouped g JOIN live ON live.id = g.project_id
    CROSS JOIN LATERAL (VALUES
      ('MINUTE'::"StatPeriod", g.project_id, g.minute, ${since(KEPT_HOURS.minutes)}),
      ('HOUR', g.project_id, date_trunc('hour', g.minute), ${since(KEPT_HOURS.hours)}),
      ('HOUR', g.target_id, date_trunc('hour', g.minute), ${since(KEPT_HOURS.targetHours)}),
      ('DAY', g.target_id, date_trunc('day', g.minute, 'UTC'), ${since(KEPT_HOURS.targetDays)})
    ) AS s(period, subject_id, starts_at, kept_from)
    WHERE s.subject_id IS NOT NULL AND s.starts_at >= s.kept_from
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
    SELECT ${KEY}, ${Object.entries(COUNTERS).map(sumOf).join(', ')}, NULL::int[] AS durations, NULL::int[] AS latencies
    FROM placed GROUP BY ${KEY}
    UNION ALL
    SELECT ${KEY}, ${NAMES.map(() => '0').join(', ')}, CASE name WHEN 'durations' THEN counts END,
           CASE name WHEN 'latencies' THEN counts END
    FROM histogram
  ), stored AS (
    INSERT INTO stats AS s (${KEY}, ${NAMES.join(', ')}, durations, latencies)
    SELECT ${KEY}, ${NAMES.map((name) => `sum(${name})::int`).join(', ')}, coalesce(max(durations), '{}'),
           coalesce(max(latencies), '{}')
    FROM part GROUP BY ${KEY} ORDER BY ${KEY}
    ON CONFLICT (${KEY}) DO UPDATE SET
      ${NAMES.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')},
      ${addedHistogram('durations')}, ${addedHistogram('latencies')}
  )
  SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM oldest) AS seen`,
  { taken: nullable(integer), seen: nullable(integer) },
);
