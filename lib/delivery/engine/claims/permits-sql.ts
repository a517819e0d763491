import { lowerBound } from '@/lib/delivery/engine/outbox/outbox-sql';
import { PENDING_BY_TARGET, TARGET_ID } from '@/lib/delivery/pending';
import { bigint, bigints, float, integer, integers, uuid, uuids, writtenTimestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** What was permitted is kept in so many sums for a window. */
const SUMS_OF_A_WINDOW = 20;

/** Makes the rows of endpoints that have none yet. */
export const makePermitRows = statement(
  `INSERT INTO endpoint_permits (endpoint_id) SELECT id FROM endpoints WHERE id = ANY($targets) ON CONFLICT DO NOTHING`,
  { params: { targets: uuids } },
);

/**
 * Permits attempts of endpoints with a rate limit: at most as many as are due, as are wanted, and as the limit leaves. The sum of what was
 * permitted stays for a window and the time that a permit is valid, so that attempts that start late never exceed the limit.
 *
 * An entry is the end of a twentieth of a window, in milliseconds since 1970, and what was permitted in it. Workers take turns at the row.
 */
export const takePermits = statement(
  `
  WITH wanted AS (
    SELECT * FROM unnest($targets::uuid[], $rooms::int[], $requests::int[], $windowsMs::int[], $validMs::int[])
      AS w(endpoint_id, room, requests, window_ms, valid_ms)
  ), held AS MATERIALIZED (
    SELECT p.endpoint_id, p.ends_ms, p.counts FROM endpoint_permits p WHERE p.endpoint_id = ANY($targets)
    ORDER BY p.endpoint_id FOR UPDATE
  ), clock AS MATERIALIZED (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms FROM (SELECT count(*) FROM held) AS locked
  ), kept AS MATERIALIZED (
    SELECT w.*, c.now_ms, part.end_ms, k.ends_ms, k.counts, k.used
    FROM wanted w JOIN held h USING (endpoint_id) CROSS JOIN clock c
    CROSS JOIN LATERAL (SELECT greatest(w.window_ms / ${SUMS_OF_A_WINDOW}, 1) AS part_ms) AS size
    CROSS JOIN LATERAL (SELECT (c.now_ms / part_ms + 1) * part_ms AS end_ms) AS part
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(e.end_ms ORDER BY e.end_ms), '{}') AS ends_ms, coalesce(array_agg(e.count ORDER BY e.end_ms), '{}') AS counts,
             coalesce(sum(e.count), 0)::int AS used
      -- A part of a longer window, before the limit was changed, may end later.
      FROM (SELECT least(old.end_ms, part.end_ms) AS end_ms, old.count FROM unnest(h.ends_ms, h.counts) AS old(end_ms, count)) e
      WHERE e.end_ms > c.now_ms - w.window_ms - w.valid_ms) k
  ), granted AS MATERIALIZED (
    SELECT kept.*, d.due, greatest(0, least(d.due, requests - used)) AS count
    FROM kept CROSS JOIN LATERAL (
      SELECT count(*)::int AS due FROM (
        SELECT FROM deliveries WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} = kept.endpoint_id
          AND next_attempt_at BETWEEN ${lowerBound('since')} AND now()
        LIMIT kept.room) AS found) d
  ), stored AS (
    UPDATE endpoint_permits p SET
      ends_ms = CASE WHEN g.ends_ms[cardinality(g.ends_ms)] = g.end_ms THEN g.ends_ms ELSE g.ends_ms || g.end_ms END,
      counts = CASE WHEN g.ends_ms[cardinality(g.ends_ms)] = g.end_ms
                    THEN g.counts[:cardinality(g.counts) - 1] || g.counts[cardinality(g.counts)] + g.count ELSE g.counts || g.count END
    FROM granted g WHERE p.endpoint_id = g.endpoint_id AND g.count > 0
  )
  SELECT endpoint_id, due, count, end_ms,
         CASE WHEN cardinality(ends_ms) = 0 THEN 0 ELSE ends_ms[1] + window_ms + valid_ms - now_ms END::float8 AS free_in_ms
  FROM granted`,
  {
    params: {
      targets: uuids,
      rooms: integers,
      requests: integers,
      windowsMs: integers,
      validMs: integers,
      since: writtenTimestamp,
    },
    columns: {
      endpoint_id: uuid,
      /** Deliveries that are due, at most as many as were wanted. */
      due: integer,
      /** Attempts that may start. */
      count: integer,
      /** The end of the sum that they are in, in milliseconds since 1970. */
      end_ms: bigint,
      /** In how many milliseconds the oldest sum no longer counts. */
      free_in_ms: float,
    },
    name: 'take-permits',
  },
);

/** Gives back permits that no attempt uses: takes them out of the sums that they are in. */
export const returnPermits = statement(
  `WITH held AS MATERIALIZED (
     SELECT endpoint_id FROM endpoint_permits WHERE endpoint_id = ANY($targets) ORDER BY endpoint_id FOR UPDATE
   )
   UPDATE endpoint_permits p
   SET counts[array_position(p.ends_ms, u.end_ms)] = greatest(0, p.counts[array_position(p.ends_ms, u.end_ms)] - u.count)
   FROM held JOIN unnest($targets::uuid[], $endsMs::bigint[], $unused::int[]) AS u(endpoint_id, end_ms, count) USING (endpoint_id)
   WHERE p.endpoint_id = held.endpoint_id AND p.endpoint_id = ANY($targets) AND u.end_ms = ANY(p.ends_ms)`,
  { params: { targets: uuids, endsMs: bigints, unused: integers } },
);
