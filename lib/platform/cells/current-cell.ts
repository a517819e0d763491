import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from '@/lib/platform/globals';

/** The cell that a migration makes, and the only one of most installations. */
export const FIRST_CELL = 'cell_00';

/** The cell whose tables the statements of a request or of a loop are about; null while it is not known. */
interface Place {
  cell: string | null;
}

const place = () => once('current-cell', () => new AsyncLocalStorage<Place>());
const known = () => once('known-cells', () => ({ names: [FIRST_CELL] as readonly string[] }));

/** Returns the names of the cells that this process knows, in order. */
export const knownCells = (): readonly string[] => known().names;

/** Replaces them (./cells.ts). */
export function setKnownCells(names: readonly string[]): void {
  known().names = names;
}

/** Runs work whose statements are about the tables of one cell. */
export function inCell<T>(cell: string, work: () => T): T {
  return place().run({ cell }, work);
}

/** Runs a request that chooses its cell later: it is about all of them until then. */
export function beforeCellIsChosen<T>(work: () => T): T {
  return place().run({ cell: null }, work);
}

/** The further statements of the current request are about the tables of this cell. Does nothing outside a request. */
export function chooseCell(cell: string): void {
  const current = place().getStore();
  if (current !== undefined) current.cell = cell;
}

/**
 * Returns the search path of the connections for the current work: the tables of its cell, and those of all cells. Where nobody has
 * named a cell, it is the only one; with several, there is none, so that a statement about the tables of a cell fails and never reads
 * those of another one.
 */
export function currentSearchPath(): string {
  const { names } = known();
  const cell = place().getStore()?.cell ?? (names.length === 1 ? names[0] : undefined);
  return searchPathOf(cell);
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
