import { boolean, integer, nullable, text, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Finds the first and the last time at which attempts of deliveries were made. $1 and $2 the first and the last id of these
 * deliveries. The times are text, since a Date has no microseconds.
 */
export const findAttemptWindow = statement(
  `
  SELECT min(created_at)::text AS first, max(created_at)::text AS last, now() AS at FROM delivery_attempts
  WHERE delivery_id >= $1::uuid AND delivery_id <= $2::uuid`,
  { first: nullable(text), last: nullable(text), at: timestamp },
  { name: 'retention-attempt-window' },
);

// A subquery hides the array from the planner, which would otherwise estimate each of a thousand ids for every partition.
const THEIRS = `delivery_id = ANY(ARRAY(SELECT unnest(($1::uuid[])[:$2]))) AND created_at >= $3 AND created_at <= $4`;

/**
 * Deletes the attempts of deliveries, unless there are more than the limit. $1 delivery ids, $2 how many of the first, $3 and
 * $4 the window in which the attempts were made, $5 the limit.
 */
export const deleteAttemptsInWindow = statement(
  `
  WITH stored AS MATERIALIZED (SELECT FROM delivery_attempts WHERE ${THEIRS} LIMIT $5 + 1::bigint
  ), deleted AS (
    DELETE FROM delivery_attempts WHERE ${THEIRS} AND (SELECT count(*) FROM stored) <= $5 RETURNING 1
  )
  SELECT (SELECT count(*) FROM stored) > $5 AS "exceedsLimit", count(*)::int AS deleted FROM deleted`,
  { exceedsLimit: boolean, deleted: integer },
  { name: 'retention-delete-attempts' },
);

/** Deletes deliveries that have no attempts. $1 ids, $2 how many of the first. */
export const deleteDeliveries = statement(
  'DELETE FROM deliveries WHERE id = ANY(ARRAY(SELECT unnest(($1::uuid[])[:$2])))',
);

const KEY = 'attempt_number, succeeded, created_at';

/** Deletes the attempts of a delivery that have the lowest numbers. $1 delivery, $2 how many. */
export const deleteOldestAttempts = statement(`
  DELETE FROM delivery_attempts WHERE delivery_id = $1 AND (${KEY}) <= (
    SELECT ${KEY} FROM delivery_attempts WHERE delivery_id = $1 ORDER BY ${KEY} OFFSET $2 - 1 LIMIT 1)`);

/** Lowers the count of a delivery's attempts. $1 delivery, $2 by how many. */
export const lowerCount = statement(
  'UPDATE deliveries SET stored_attempts = greatest(stored_attempts - $2, 0) WHERE id = $1',
);
