import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from '@/lib/platform/globals';

/** The cell that a migration makes, and the only one of most installations. */
export const FIRST_CELL = 'cell_00';

/** The pattern of names: a cell and its schema have the same one. */
export const CELL_NAME = 'cell_[a-z0-9_]{1,40}';
/** A name becomes a schema, and a part of statements. */
export const IS_CELL_NAME = new RegExp(`^${CELL_NAME}$`);

/** The cell whose tables the statements of a request or of a loop are about; null while it is not known. */
interface Place {
  cell: string | null;
}

const place = () => once('current-cell', () => new AsyncLocalStorage<Place>());
const known = () =>
  once('known-cells', () => ({ names: [FIRST_CELL] as readonly string[], only: FIRST_CELL, onlyUntil: Infinity }));

/** Returns the names of the cells that this process knows, in order. */
export const knownCells = (): readonly string[] => known().names;

/** Whether statements must name their cell: not where there is one. While this process has not read the cells, it may have several. */
export const hasSeveralCells = (): boolean => known().names.length !== 1;

/**
 * Replaces them (./cells.ts); with none, they are not known. @param graceMs how long work that began while there was one cell may continue without naming it: others
 * get their first organization later
 */
export function setKnownCells(names: readonly string[], graceMs = 0): void {
  const cells = known();
  cells.names = names;
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) Object.assign(cells, { only, onlyUntil: Infinity });
  else if (cells.onlyUntil === Infinity) cells.onlyUntil = performance.now() + graceMs;
}

/** Runs work whose statements are about the tables of one cell. */
export function inCell<T>(cell: string, work: () => T): T {
  return place().run({ cell }, work);
}

/**
 * Runs work for each cell, one after the other, and returns the results in their order.
 * @param cells some of those that this process knows; by default all
 * @throws Error while the cells are not known
 */
export async function inEachCell<T>(work: (cell: string) => Promise<T>, cells?: readonly string[]): Promise<T[]> {
  const { names } = known();
  if (names.length === 0) throw new Error('The cells are not known yet.');
  const results: T[] = [];
  // Nothing is paid for a place where there is one cell.
  for (const cell of cells ?? names)
    results.push(await (hasSeveralCells() ? inCell(cell, () => work(cell)) : work(cell)));
  return results;
}

/** Returns the values that `onceInCell` has made under a name. */
export function valuesOfCells<T>(name: string): T[] {
  return [...once(name, () => new Map<string, T>()).values()];
}

/** Returns the one value of the current cell under a name, made when it is first asked for: a queue of statements about its tables. */
export function onceInCell<T>(name: string, make: () => T): T {
  const values = once(name, () => new Map<string, T>());
  const path = currentSearchPath();
  let value = values.get(path);
  if (value === undefined) {
    value = make();
    values.set(path, value);
  }
  return value;
}

/**
 * Runs a request, which chooses its cell later where there are several: it is about none of them until then. Costs nothing where there is
 * one.
 */
export function beforeCellIsChosen<T>(work: () => T): T {
  return hasSeveralCells() ? place().run({ cell: null }, work) : work();
}

function onlyCell(): string | undefined {
  const { only, onlyUntil } = known();
  return performance.now() < onlyUntil ? only : undefined;
}

/** The further statements of the current request are about the tables of this cell. Does nothing outside a request. */
export function chooseCell(cell: string): void {
  const current = place().getStore();
  if (current !== undefined) current.cell = cell;
}

/**
 * Returns the cell of the current work. Where nobody has named one, it is the only one; with several, there is none, so that a statement
 * about the tables of a cell fails and never reads those of another one.
 */
export function currentCell(): string | undefined {
  const current = place().getStore();
  return current === undefined ? onlyCell() : (current.cell ?? undefined);
}

/** Returns the search path of the connections for the current work: the tables of its cell, and those of all cells. */
export function currentSearchPath(): string {
  return searchPathOf(currentCell());
}

const paths = new Map<string | undefined, string>([[undefined, 'public']]);

/** Returns the search path for the tables of a cell; without one, for those of all cells. */
export function searchPathOf(cell: string | undefined): string {
  let path = paths.get(cell);
  if (path === undefined) {
    path = `${cell},public`;
    paths.set(cell, path);
  }
  return path;
}
