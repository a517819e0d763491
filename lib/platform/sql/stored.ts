import { isCellElsewhere } from '@/lib/platform/db';

/*
 * Where Citus places a cell on a machine, it stores each table in another one, whose name ends with a number. The catalog of that machine
 * has the files and statistics of these. What Citus offers is no part of PostgreSQL, so such statements are made twice.
 */

/** SQL of the oid of the table that stores the rows of another one; null where no table of the machine does. @param table SQL of an oid */
export const storedOid = (isPlaced: boolean, table: string) =>
  isPlaced
    ? `(SELECT to_regclass(shard_name(d.logicalrelid, d.shardid)) FROM pg_dist_shard d WHERE d.logicalrelid = ${table})`
    : table;

/**
 * Makes a statement about files or statistics. `plain` is for PostgreSQL alone; `here` returns that for the current cell, to be run in
 * `storingDatabase()`.
 */
export function whereStored<S>(make: (isPlaced: boolean) => S): { plain: S; here: () => S } {
  const plain = make(false);
  const placed = make(true);
  return { plain, here: () => (isCellElsewhere() ? placed : plain) };
}
