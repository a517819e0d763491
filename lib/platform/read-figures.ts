import { inSqlTransaction } from '@/lib/platform/db';
import { type Columns, type RowOf, Statement } from '@/lib/platform/sql/statement';
import { refuseChanges } from './read-figures-sql';

const STATEMENT_TIMEOUT_MS = 20_000;

/**
 * Runs one read-only statement for at most twenty seconds, in its own transaction: the locks of several statements would
 * block dropping a partition, and could deadlock with it.
 */
export function readFigures<C extends Columns>(figures: Statement<C>, ...values: unknown[]): Promise<RowOf<C>[]>;
export function readFigures<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
export async function readFigures(figures: Statement | string, ...values: unknown[]): Promise<object[]> {
  const [declared, given] =
    typeof figures === 'string' ? [new Statement(figures, {}), (values[0] ?? []) as unknown[]] : [figures, values];
  return inSqlTransaction(
    async (tx) => {
      await refuseChanges.run(tx);
      return declared.all(tx, ...given);
    },
    { statementMs: STATEMENT_TIMEOUT_MS },
  );
}
