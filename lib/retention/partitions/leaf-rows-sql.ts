import { bigint, integer, nullable, text, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { forEachBranch } from './partitions';

/**
 * Makes the statement that deletes the expired rows of a leaf after a place. $1 the ctid of the last row before it, $2 expired
 * until, $3 limit. Finds but does not remove rows that another process has just deleted.
 *
 * @param leaf schema and table, quoted
 */
export const deleteRowsAfter = (leaf: string) =>
  statement(
    `WITH expired AS MATERIALIZED (
       SELECT ctid FROM ${leaf} WHERE ctid > $1::tid AND created_at <= $2 LIMIT $3
     ), removed AS (
       DELETE FROM ${leaf} WHERE ctid = ANY (ARRAY(SELECT ctid FROM expired)) RETURNING 1
     )
     SELECT (SELECT max(ctid)::text FROM expired) AS last, (SELECT count(*)::int FROM expired) AS found,
       (SELECT count(*)::int FROM removed) AS removed`,
    { last: nullable(text), found: integer, removed: integer },
  );

/** Makes the statement that counts the rows of a leaf that were created until $1. @param leaf schema and table, quoted */
export const countUpTo = (leaf: string) =>
  statement(`SELECT count(*)::int AS expired FROM ${leaf} WHERE created_at <= $1`, { expired: integer });

/** For the test of all statements. */
export const deleteDefaultRowsAfter = forEachBranch(({ defaultTable }) => deleteRowsAfter(defaultTable));

/** Counts the rows of a default partition that were created until $1. */
export const countDefaultUpTo = forEachBranch(({ defaultTable }) => countUpTo(defaultTable));

/** Counts the rows of a default partition. */
export const countDefault = forEachBranch(({ defaultTable }) =>
  statement(`SELECT count(*) AS rows FROM ${defaultTable}`, { rows: bigint }),
);

/** Lists the UTC days of a default partition's rows from before the year 10000, the oldest first. */
export const listDaysInDefault = forEachBranch(({ defaultTable }) =>
  statement(
    `SELECT DISTINCT date_trunc('day', greatest(created_at, '0001-01-01 00:00:00+00'), 'UTC') AS day FROM ${defaultTable}
     WHERE created_at < '10000-01-01 00:00:00+00' ORDER BY day`,
    { day: timestamp },
  ),
);
