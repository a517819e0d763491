import { inSqlTransaction } from '@/lib/platform/db';

const STATEMENT_TIMEOUT_MS = 20_000;

/**
 * Runs one read-only statement for at most twenty seconds, in its own transaction: the locks of several statements would
 * block dropping a partition, and could deadlock with it.
 */
export async function readFigures<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return inSqlTransaction(
    async (tx) => {
      await tx.query('SET TRANSACTION READ ONLY');
      return (await tx.query(sql, [...values])).rows as Row[];
    },
    { statementMs: STATEMENT_TIMEOUT_MS },
  );
}
