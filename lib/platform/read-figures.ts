import { inSqlTransaction } from '@/lib/platform/db';
import type { Columns, Given, RowOf, Statement } from '@/lib/platform/sql/statement';
import { refuseChanges } from './session-sql';

const STATEMENT_TIMEOUT_MS = 20_000;

/**
 * Runs one read-only statement for at most twenty seconds, in its own transaction: the locks of several statements would
 * block dropping a partition, and could deadlock with it.
 */
export function readFigures<C extends Columns, P extends Columns | null>(
  figures: Statement<C, P>,
  ...given: Given<P>
): Promise<RowOf<C>[]> {
  return inSqlTransaction(
    async (tx) => {
      await refuseChanges.run(tx);
      return figures.all(tx, ...given);
    },
    { statementMs: STATEMENT_TIMEOUT_MS },
  );
}
