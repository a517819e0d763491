import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { readFigures } from '@/lib/platform/read-figures';
import { BRANCHES, type Branch, type Period, utcDayOf } from './partitions';
import { countDefault, listDaysInDefault, measureTable, vacuumTable } from './partitions-sql';

/**
 * ATTACH reads the entire default under a lock: a quarter of a second for 280 MB, which is a million rows or what a DELETE
 * has left of them. This size takes about 10 ms.
 */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Whether a default partition is too large to be read under a lock. */
export async function isDefaultLarge({ defaultTable }: Branch): Promise<boolean> {
  const { bytes } = await measureTable.one(database(), defaultTable);
  return Number(bytes) >= LARGE_BYTES;
}

/**
 * Lists the UTC days of a default partition's rows, the oldest first. Rows from before the year 1 count for its first day.
 * Imported rows from the year 10000 on, or of 'infinity', have no day that a name could contain: they stay where they are and
 * do not keep other rows from their partitions.
 */
export async function listDefaultDays({ name }: Branch): Promise<Period[]> {
  const rows = await listDaysInDefault[name].all(sqlWithTimeout(LONG_STATEMENT_MS));
  return rows.map(({ day }) => utcDayOf(day));
}

/** Returns the space of removed rows, so that the default is small again. Blocks no write. */
export async function vacuumDefault({ defaultTable }: Branch): Promise<void> {
  await vacuumTable(sqlWithTimeout(LONG_STATEMENT_MS), defaultTable);
}

/** Counts the rows in the default partition of a branch. It should be empty (docs/specification.md#metrics). */
export async function countDefaultRows(branch: Branch): Promise<number> {
  const [counted] = await readFigures(countDefault[branch.name]);
  return Number(counted?.rows ?? 0);
}

/** Counts them for every branch, by its name. */
export async function countAllDefaultRows(): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const branch of BRANCHES) counted.set(branch.name, await countDefaultRows(branch));
  return counted;
}
