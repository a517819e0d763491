import { SECOND_MS } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import {
  chooseCellForNew,
  createSchema,
  describeTables,
  insertCell,
  KNOWN_AFTER_SECONDS,
  listCellNames,
  runStep,
  setSearchPath,
} from './cells-sql';
import { FIRST_CELL, inCell, knownCells, searchPathOf, setKnownCells } from './current-cell';

/** Twice in the time after which a cell gets its first organization: one failure does not matter. */
const READ_MS = (KNOWN_AFTER_SECONDS / 2) * SECOND_MS;

/** A name becomes a schema, and a part of statements. */
const NAME = /^cell_[a-z0-9_]{1,40}$/;

/** Whether a cell may have this name. */
export const isCellName = (name: string): boolean => NAME.test(name);

/** Reads the names of the cells for this process. @throws when the database cannot be read */
export async function readCells(graceMs = 0): Promise<void> {
  setKnownCells(
    (await listCellNames.all(database())).map(({ name }) => name),
    graceMs,
  );
}

/** Reads them now, and again and again: a cell that is added is known within a minute. @returns a function that ends it */
export async function watchCells(): Promise<() => void> {
  await readCells();
  const timer = setInterval(() => {
    readCells(READ_MS).catch((error: unknown) =>
      log().warn({ err: error }, 'the cells could not be read; trying again'),
    );
  }, READ_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Runs work for each cell that this process knows, one after the other. */
export async function inEachCell<T>(work: (cell: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const cell of knownCells()) results.push(await inCell(cell, () => work(cell)));
  return results;
}

/** Returns the cell for a new organization (docs/decisions/078-cells.md). */
export async function chooseCellOfNew(tx: Sql): Promise<string> {
  const [only, ...others] = knownCells();
  if (only !== undefined && others.length === 0) return only;
  return (await chooseCellForNew.first(tx))?.name ?? FIRST_CELL;
}

/**
 * Adds a cell with the tables of the first one, within a transaction that keeps out migrations.
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
