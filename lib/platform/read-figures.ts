import { inTransaction } from '@/lib/platform/db';

const STATEMENT_TIMEOUT_MS = 20_000;

/**
 * Runs one statement, for twenty seconds at most, in a transaction of its own: the locks of several together would be in
 * the way of whoever drops a partition meanwhile, even to a deadlock.
 */
export async function readFigures<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return inTransaction(
    async (tx) => {
      await tx.query('SET TRANSACTION READ ONLY');
      return (await tx.query(sql, [...values])).rows as Row[];
    },
    { statementMs: STATEMENT_TIMEOUT_MS },
  );
}
