import type { Sql } from '@/lib/platform/db';
import {
  bigint,
  boolean,
  booleans,
  integer,
  integers,
  numeric,
  text,
  timestamps,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** The key of an attempt. Its time is text, so that it is not rounded. */
const ATTEMPT = { delivery_id: uuid, attempt_number: integer, succeeded: boolean, created_at: text };
const NEWEST_FIRST = 'attempt_number DESC, delivery_attempts.created_at DESC, id DESC';

export type ExcessAttempt = RowOf<typeof ATTEMPT>;
export type CapStatements = ReturnType<typeof makeCapStatements>;
export type ExcessiveDelivery = RowOf<CapStatements['findCandidates']['columns']>;

/**
 * Makes the statements for a cap. The cap is a literal: only for a literal can the planner prove `stored_attempts > 1`, the
 * condition of the index.
 */
export const makeCapStatements = (cap: number) => ({
  cap,

  /**
   * Finds a batch of deliveries that may have more attempts than the cap. Sorts as the index does: with statistics from before
   * the last batch, the planner would otherwise read the entire table.
   */
  findCandidates: statement(
    `
  SELECT id, stored_attempts - ${cap} AS excess FROM deliveries
  WHERE stored_attempts > ${cap} AND id <> ALL($skipped::uuid[]) ORDER BY stored_attempts LIMIT $limit`,
    { params: { skipped: uuids, limit: bigint }, columns: { id: uuid, excess: integer } },
  ),

  /**
   * Finds the excess attempts of deliveries, up to a rank, where the newest has rank 1. One statement for all deliveries, so that
   * each partition is read once for a range of keys and not once per delivery.
   */
  rankExcess: statement(
    `
  SELECT delivery_id, attempt_number, succeeded, created_at::text, rank::int FROM (
    SELECT delivery_id, attempt_number, succeeded, created_at,
           row_number() OVER (PARTITION BY delivery_id ORDER BY ${NEWEST_FIRST}) AS rank
    FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($deliveries::uuid[])))) AS numbered
  WHERE rank > ${cap} AND rank <= $maxRank`,
    {
      params: { deliveries: uuids, maxRank: bigint },
      columns: { ...ATTEMPT, rank: integer },
      name: `retention-cap-excess-${cap}`,
    },
  ),

  /** Finds excess attempts of a delivery that has more of them than a batch removes. */
  findExcessOfOne: statement(
    `
  SELECT delivery_id, attempt_number, succeeded, created_at::text FROM delivery_attempts
  WHERE delivery_id = $delivery ORDER BY ${NEWEST_FIRST} OFFSET ${cap} LIMIT $limit`,
    { params: { delivery: uuid, limit: bigint }, columns: ATTEMPT, name: `retention-cap-excess-of-one-${cap}` },
  ),

  /** Counts the excess attempts of all deliveries. */
  countExcess: statement(
    `SELECT coalesce(sum(greatest(a.count - ${cap}, 0)), 0) AS excess
     FROM deliveries d, LATERAL (SELECT count(*) FROM delivery_attempts WHERE delivery_id = d.id) a
     WHERE d.stored_attempts > ${cap}`,
    { columns: { excess: numeric } },
  ),
});

/** For the test of all statements. */
export const capOf10 = makeCapStatements(10);

/**
 * Makes the planner use indexes in a transaction that finds and removes attempts. It does not know that each key leads to one
 * partition: it adds up the lookups in all of them, and would read entire partitions or compile the statement.
 */
export async function preferIndexLookups(tx: Sql): Promise<void> {
  await tx.query(`SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off; SET LOCAL jit = off`);
}

/** Locks deliveries. Skips rows that another transaction has locked. */
export const lockDeliveries = statement(
  'SELECT id FROM deliveries WHERE id = ANY($deliveries::uuid[]) FOR NO KEY UPDATE SKIP LOCKED',
  { params: { deliveries: uuids }, columns: { id: uuid }, name: 'retention-cap-lock' },
);

/** Removes attempts by their keys, given column by column. */
export const removeByKey = statement(
  `
  DELETE FROM delivery_attempts a
  USING unnest($deliveries::uuid[], $numbers::int[], $succeeded::boolean[], $times::timestamptz[])
    AS v(delivery_id, attempt_number, succeeded, created_at)
  WHERE a.delivery_id = v.delivery_id AND a.attempt_number = v.attempt_number AND a.succeeded = v.succeeded
    AND a.created_at = v.created_at
  RETURNING a.delivery_id`,
  {
    params: { deliveries: uuids, numbers: integers, succeeded: booleans, times: timestamps },
    columns: { delivery_id: uuid },
    name: 'retention-cap-remove',
  },
);

/** Lowers the counts of deliveries, and returns those that it has changed. */
export const lowerCounts = statement(
  `
  UPDATE deliveries d SET stored_attempts = d.stored_attempts - c.removed
  FROM unnest($deliveries::uuid[], $removed::int[]) AS c(id, removed) WHERE d.id = c.id RETURNING d.id`,
  { params: { deliveries: uuids, removed: integers }, columns: { id: uuid } },
);

/** Counts the attempts of deliveries in one pass: a subquery per delivery would search hundreds of partitions. */
export const countStored = statement(
  `
  SELECT delivery_id, count(*)::int AS stored FROM delivery_attempts
  WHERE delivery_id = ANY(ARRAY(SELECT unnest($deliveries::uuid[]))) GROUP BY delivery_id`,
  { params: { deliveries: uuids }, columns: { delivery_id: uuid, stored: integer }, name: 'retention-cap-count' },
);

/** Sets the counts of deliveries, and returns those that it has changed. */
export const setCounts = statement(
  `
  UPDATE deliveries d SET stored_attempts = c.stored
  FROM unnest($deliveries::uuid[], $stored::int[]) AS c(id, stored) WHERE d.id = c.id RETURNING d.id`,
  { params: { deliveries: uuids, stored: integers }, columns: { id: uuid } },
);
