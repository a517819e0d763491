import { boolean, integer } from '@/lib/platform/sql/column';
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
 * Adds the oldest $1 batches to the statistics and removes them, in one statement: each is counted exactly once, whenever the
 * process dies. $2 the bounds of the histograms.
 *
 * Projects are locked, so that a deletion waits for the rows that are inserted here; batches of deleted ones are only removed.
 */
export const rollUpBatches = statement(
  `
  WITH taken AS MATERIALIZED (
    DELETE FROM stat_batches WHERE id = ANY(ARRAY(SELECT id FROM stat_batches ORDER BY id LIMIT $1))
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
  ), counted AS (
    SELECT ${KEY}, ${Object.entries(COUNTERS).map(sumOf).join(', ')} FROM placed GROUP BY ${KEY}
  ), stored AS (
    INSERT INTO stats AS s (${KEY}, ${NAMES.join(', ')}, durations, latencies)
    SELECT ${KEY}, ${NAMES.join(', ')}, coalesce(d.counts, '{}'), coalesce(l.counts, '{}')
    FROM counted
    LEFT JOIN (SELECT * FROM histogram WHERE name = 'durations') d USING (${KEY})
    LEFT JOIN (SELECT * FROM histogram WHERE name = 'latencies') l USING (${KEY})
    ORDER BY ${KEY}
    ON CONFLICT (${KEY}) DO UPDATE SET
      ${NAMES.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')},
      ${addedHistogram('durations')}, ${addedHistogram('latencies')}
  )
  SELECT count(*)::int AS batches FROM taken`,
  { batches: integer },
);
