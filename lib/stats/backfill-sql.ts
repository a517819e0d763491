import { integer, nullable, text, timestamp } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import { KEPT_HOURS } from './kept-policy';

/** Locks one table whose older rows are still to be counted, unless another worker has it. */
export const lockBackfill = statement(
  'SELECT source, before, cursor FROM stat_backfills ORDER BY source LIMIT 1 FOR UPDATE SKIP LOCKED',
  { source: text, before: timestamp, cursor: nullable(text) },
);
export type Backfill = RowOf<typeof lockBackfill.columns>;

/** Moves the cursor of table $1 to $2. */
export const moveCursor = statement('UPDATE stat_backfills SET cursor = $2 WHERE source = $1');

/** Notes that all older rows of table $1 are counted. */
export const endBackfill = statement('DELETE FROM stat_backfills WHERE source = $1');

/** Selects the first partition of attempts whose quoted name is $1 or later, with its size in blocks. */
export const findPartition = statement(
  `SELECT name, (pg_relation_size(name::regclass) / current_setting('block_size')::int)::int AS blocks
   FROM (SELECT relid::regclass::text COLLATE "C" AS name FROM pg_partition_tree('delivery_attempts') WHERE isleaf) p
   WHERE name >= $1 ORDER BY name LIMIT 1`,
  { name: text, blocks: integer },
);

const KEPT = `created_at >= now() - interval '${KEPT_HOURS.hours} hours'`;

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

/** Makes the statement that queues the attempts of a partition from place $1 to place $2, made before $3. */
export const queueAttemptsOf = (partition: string) =>
  statement(
    `INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, created_at)
     SELECT ${ATTEMPTS_AS_BATCH},
            date_trunc('minute', a.created_at)
     FROM ${partition} a JOIN deliveries d ON d.id = a.delivery_id
     WHERE a.ctid >= $1::tid AND a.ctid < $2::tid AND a.created_at < $3 AND a.${KEPT}
     GROUP BY date_trunc('minute', a.created_at)`,
  );

const queueRows = (table: 'events' | 'incoming_events', kind: string) =>
  statement(
    `WITH page AS (
       SELECT * FROM ${table}
       WHERE ($1::timestamptz IS NULL OR (created_at, id) > ($1, $2::uuid)) AND created_at < $3 AND ${KEPT}
       ORDER BY created_at, id LIMIT $4
     ), queued AS (
       INSERT INTO stat_batches (project_ids, kinds, created_at)
       SELECT array_agg(project_id), array_agg(${kind}::"StatKind"), date_trunc('minute', created_at)
       FROM page GROUP BY date_trunc('minute', created_at)
     )
     SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || id::text AS cursor
     FROM page ORDER BY created_at DESC, id DESC LIMIT 1`,
    { cursor: nullable(text) },
  );

/** Queues rows after the time $1 and id $2 that were made before $3, $4 at most. Returns the cursor of the last one. */
export const queueOlder = {
  events: queueRows('events', `'EVENT'`),
  incoming_events: queueRows(
    'incoming_events',
    `CASE WHEN verified THEN 'INCOMING_VERIFIED' WHEN verified IS NULL THEN 'INCOMING_UNSIGNED' ELSE 'INCOMING_REJECTED' END`,
  ),
};

/** The same for the table above the partitions, whose columns are theirs: the test of all statements describes it. */
export const queueAttempts = queueAttemptsOf('delivery_attempts');
