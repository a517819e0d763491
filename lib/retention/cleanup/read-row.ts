import type { Transaction } from '@/lib/platform/db';

/** Runs a prepared statement that returns one row. */
export async function readRow<Row extends object>(
  tx: Transaction,
  query: { name: string; text: string; values: unknown[] },
): Promise<Row> {
  const { rows } = await tx.query<Row>(query);
  if (rows[0] === undefined) throw new Error(`${query.name} returned no row`);
  return rows[0];
}
