import type { SqlTransaction } from '@/lib/platform/db';

/** A statement with a name is planned once per connection: to plan over some hundred partitions takes as long as a batch. */
interface PreparedQuery {
  name: string;
  text: string;
  values: unknown[];
}

/** Runs a prepared statement. */
export async function readRows<Row extends object>(tx: SqlTransaction, query: PreparedQuery): Promise<Row[]> {
  return (await tx.query<Row>(query)).rows;
}

/** Runs a prepared statement that returns one row. */
export async function readRow<Row extends object>(tx: SqlTransaction, query: PreparedQuery): Promise<Row> {
  const [row] = await readRows<Row>(tx, query);
  if (row === undefined) throw new Error(`${query.name} returned no row`);
  return row;
}
