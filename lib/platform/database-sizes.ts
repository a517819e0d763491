import { nodeUrlOf } from './cells/cell-nodes';
import { inCell, knownCells, searchPathOf } from './cells/current-cell';
import { database, hotDatabase } from './db';
import { databaseSize } from './session-sql';

/** Returns the bytes of the database on each of its machines: on that of DATABASE_URL first, then on others that have cells. */
export async function readDatabaseSizes(): Promise<number[]> {
  const cells = new Map(knownCells().map((cell) => [nodeUrlOf(searchPathOf(cell)), cell]));
  cells.delete(undefined);
  const pools = [database(), ...[...cells.values()].map((cell) => inCell(cell, hotDatabase))];
  const rows = await Promise.all(pools.map((pool) => databaseSize.one(pool)));
  return rows.map(({ bytes }) => Number(bytes));
}
