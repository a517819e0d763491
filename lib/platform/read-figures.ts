import type pg from 'pg';
import { inEachCell, knownCells } from '@/lib/platform/cells/current-cell';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { oneLineOf } from '@/lib/platform/errors';
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
  return readFiguresFrom(database(), figures, ...given);
}

/** Runs it in a certain pool. */
export function readFiguresFrom<C extends Columns, P extends Columns | null>(
  pool: pg.Pool,
  figures: Statement<C, P>,
  ...given: Given<P>
): Promise<RowOf<C>[]> {
  return inSqlTransaction(
    async (tx) => {
      await refuseChanges.run(tx);
      return figures.all(tx, ...given);
    },
    { pool, statementMs: STATEMENT_TIMEOUT_MS },
  );
}

/**
 * Reads something in each cell, one after the other, and returns the results in the order of the cells.
 * @throws Error that names the cell, where there are several
 */
export function readInEachCell<T>(read: (cell: string) => Promise<T>): Promise<T[]> {
  return inEachCell((cell) =>
    read(cell).catch((error: unknown) => {
      throw knownCells().length === 1 ? error : new Error(`${cell}: ${oneLineOf(error)}`, { cause: error });
    }),
  );
}
