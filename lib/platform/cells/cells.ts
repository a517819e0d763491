import { database, type Sql } from '@/lib/platform/db';
import { setCellNodes } from './cell-nodes';
import {
  chooseCellForNew,
  createSchema,
  describeTables,
  findMoveTo,
  insertCell,
  listCellNames,
  listNodesOfCells,
  runStep,
  setSearchPath,
  tryTargetLock,
} from './cells-sql';
import { currentCell, FIRST_CELL, IS_CELL_NAME, knownCells, searchPathOf, setKnownCells } from './current-cell';

/** Whether a cell may have this name. */
export const isCellName = (name: string): boolean => IS_CELL_NAME.test(name);

/**
 * Reads the cells for this process, and which machines have them.
 * @param graceMs as for `setKnownCells`
 * @throws when the database cannot be read
 */
export async function readCells(graceMs = 0): Promise<void> {
  const cells = await listCellNames.all(database());
  const hasCitus = cells.some(({ has_citus }) => has_citus === true);
  setCellNodes(hasCitus ? await listNodesOfCells(database()) : [], hasCitus);
  setKnownCells(
    cells.map(({ name }) => name),
    graceMs,
  );
}

/** Returns the cell for a new organization (docs/decisions/078-cells.md). */
export async function chooseCellOfNew(tx: Sql): Promise<string> {
  const [only, ...others] = knownCells();
  if (only !== undefined && others.length === 0) return only;
  return (await chooseCellForNew.first(tx))?.name ?? FIRST_CELL;
}

/**
 * Tells whether an organization moves to the current cell. Rows there may be referred to by others that follow: nothing may be removed
 * because nothing refers to it. A move that begins later waits for the end of this transaction.
 */
export async function isMoveTarget(tx: Sql): Promise<boolean> {
  const cell = currentCell();
  if (cell === undefined) return false;
  const { taken } = await tryTargetLock.one(tx, { cell });
  // A statement of its own: the move may have begun before the lock was taken.
  return !taken || (await findMoveTo.run(tx, { cell })) > 0;
}

/**
 * Adds a cell with the tables of the first one, within a transaction that keeps out migrations. `placeNewCell` comes after it.
 * @returns false when there is one of this name
 */
export async function addCell(tx: Sql, name: string): Promise<boolean> {
  if (!isCellName(name)) throw new Error(`${name} is no name of a cell`);
  if ((await insertCell.run(tx, { name })) === 0) return false;
  await createSchema(tx, name);
  await setSearchPath(tx, searchPathOf(FIRST_CELL));
  const steps = await describeTables.all(tx, { target: name, source: FIRST_CELL });
  await setSearchPath(tx, searchPathOf(name));
  for (const { sql } of steps) if (sql !== null) await runStep(tx, sql);
  return true;
}
