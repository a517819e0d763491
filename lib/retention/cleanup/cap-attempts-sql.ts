import type { Sql } from '@/lib/platform/db';
import { boolean, integer, numeric, text, uuid } from '@/lib/platform/sql/column';
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
   * Finds a batch of deliveries that may have more attempts than the cap. $1 limit, $2 ids of deliveries to skip. Sorts as the
   * index does: with statistics from before the last batch, the planner would otherwise read the entire table.
   */
  findCandidates: statement(
    `
  SELECT id, stored_attempts - ${cap} AS excess FROM deliveries
  WHERE stored_attempts > ${cap} AND id <> ALL($2::uuid[]) ORDER BY stored_attempts LIMIT $1`,
    { id: uuid, excess: integer },
  ),

  /**
   * Finds the excess attempts of the deliveries $1, up to rank $2, where the newest has rank 1. One statement for all
   * deliveries, so that each partition is read once for a range of keys and not once per delivery.
   */
  rankExcess: statement(
    `
  SELECT delivery_id, attempt_number, succeeded, created_at::text, rank::int FROM (
    SELECT delivery_id, attempt_number, succeeded, created_at,
           row_number() OVER (PARTITION BY delivery_id ORDER BY ${NEWEST_FIRST}) AS rank
    FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[])))) AS numbered
  WHERE rank > ${cap} AND rank <= $2`,
    { ...ATTEMPT, rank: integer },
    { name: `retention-cap-excess-${cap}` },
  ),

  /** Finds $2 excess attempts of delivery $1, which has more of them than a batch removes. */
  findExcessOfOne: statement(
    `
  SELECT delivery_id, attempt_number, succeeded, created_at::text FROM delivery_attempts
  WHERE delivery_id = $1 ORDER BY ${NEWEST_FIRST} OFFSET ${cap} LIMIT $2`,
    ATTEMPT,
    { name: `retention-cap-excess-of-one-${cap}` },
  ),

  /** Counts the excess attempts of all deliveries. */
  countExcess: statement(
    `SELECT coalesce(sum(greatest(a.count - ${cap}, 0)), 0) AS excess
     FROM deliveries d, LATERAL (SELECT count(*) FROM delivery_attempts WHERE delivery_id = d.id) a
     WHERE d.stored_attempts > ${cap}`,
    { excess: numeric },
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

/** Locks the deliveries $1. Skips rows that another transaction has locked. */
export const lockDeliveries = statement(
  'SELECT id FROM deliveries WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED',
  { id: uuid },
  { name: 'retention-cap-lock' },
);

/** Removes attempts. $1 to $4 their keys, column by column. */
export const removeByKey = statement(
  `
  DELETE FROM delivery_attempts a
  USING unnest($1::uuid[], $2::int[], $3::boolean[], $4::timestamptz[]) AS v(delivery_id, attempt_number, succeeded, created_at)
  WHERE a.delivery_id = v.delivery_id AND a.attempt_number = v.attempt_number AND a.succeeded = v.succeeded
    AND a.created_at = v.created_at
  RETURNING a.delivery_id`,
  { delivery_id: uuid },
  { name: 'retention-cap-remove' },
);

/** Lowers the counts of the deliveries $1 by $2. */
export const lowerCounts = statement(`
  UPDATE deliveries d SET stored_attempts = d.stored_attempts - c.removed
  FROM unnest($1::uuid[], $2::int[]) AS c(id, removed) WHERE d.id = c.id`);

/** Counts the attempts of the deliveries $1 in one pass: a subquery per delivery would search hundreds of partitions. */
export const countStored = statement(
  `
  SELECT delivery_id, count(*)::int AS stored FROM delivery_attempts
  WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) GROUP BY delivery_id`,
  { delivery_id: uuid, stored: integer },
  { name: 'retention-cap-count' },
);

/** Sets the counts of the deliveries $1 to $2. */
export const setCounts = statement(`
  UPDATE deliveries d SET stored_attempts = c.stored
  FROM unnest($1::uuid[], $2::int[]) AS c(id, stored) WHERE d.id = c.id`);
