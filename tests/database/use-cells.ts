import { afterAll, beforeAll } from 'vitest';
import { addCell, readCells } from '@/lib/platform/cells/cells';
import { setKnownCells } from '@/lib/platform/cells/current-cell';
import { placeNewCell } from '@/lib/platform/cells/distribute';
import { inSqlTransaction } from '@/lib/platform/db';
import { earlier, run } from './rows';
import { placeOrganizations } from './use-database';

/** Adds a cell, on one of the machines of a cluster. @returns whether it is new */
export async function addPlacedCell(name: string): Promise<boolean> {
  const isNew = await inSqlTransaction((tx) => addCell(tx, name), { statementMs: 60_000 });
  if (isNew) await inSqlTransaction((tx) => placeNewCell(tx, name), { statementMs: 60_000 });
  return isNew;
}

/**
 * Adds cells to the database of a test file, as if all processes had known them for long. Call it after `useDatabase`.
 * Returns the names of all cells, in order. Organizations are placed in turn, in the one with the fewest.
 */
export function useCells(...names: string[]): string[] {
  placeOrganizations();
  beforeAll(async () => {
    for (const name of names) await addPlacedCell(name);
    await run(`UPDATE cells SET ${earlier('created_at', '1 hour')}`);
    await readCells();
  });
  afterAll(() => setKnownCells(['cell_00']));
  return ['cell_00', ...names].sort();
}
