import { DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout, storingDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { readFigures, readInEachCell } from '@/lib/platform/read-figures';
import { BRANCHES, type Branch, type DayPartition, type Period, utcDayOf } from './partitions';
import {
  countDefault,
  estimateOne,
  listDaysInDefault,
  listPartitions,
  measurePartitions,
  measureTable,
  type PartitionRow,
} from './partitions-sql';

/** A partition of a branch, from the catalog. */
export interface ListedDay extends DayPartition {
  oid: number;
  /** Schema and table, quoted. */
  qualifiedName: string;
  /** As PostgreSQL writes them. */
  bounds: string;
  isPlainTable: boolean;
}

/** A partition with its size, by the statistics. */
interface MeasuredDay extends ListedDay {
  estimatedRows: number;
  /** Includes indexes and values stored outside the row. */
  sizeBytes: number;
}

/** The limits of a Date, for bounds without an end. */
const ENDLESS_MS = 8.64e15;

/** Parsed here: with regular expressions in PostgreSQL the query takes five times as long. */
const BOUNDS =
  /^FOR VALUES FROM \((?:(true|false), )?(?:'([^']+)'|MINVALUE)\) TO \((?:(true|false), )?(?:'([^']+)'|MAXVALUE)\)$/;

/** Returns `end` for an invalid time, such as '-infinity', and for one outside the limits of a Date. */
function readTime(text: string | undefined, endMs: number): Date {
  const at = new Date((text ?? '').replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(at.getTime()) ? new Date(endMs) : at;
}

/** @returns null for the default partition, and for one of another branch */
function toListedDay(row: PartitionRow, { succeeded }: Branch): ListedDay | null {
  const bounds = BOUNDS.exec(row.bounds);
  if (bounds === null) return null;
  const outcome = succeeded === null ? undefined : String(succeeded);
  if (bounds[1] !== outcome || bounds[3] !== outcome) return null;
  return {
    oid: row.oid,
    table: row.table,
    qualifiedName: row.qualified_name,
    bounds: row.bounds,
    isPlainTable: row.is_plain_table,
    from: readTime(bounds[2], -ENDLESS_MS),
    to: readTime(bounds[4], ENDLESS_MS),
  };
}

function oldestFirst<Day extends ListedDay>(days: (Day | null)[]): Day[] {
  return days.filter((day) => day !== null).toSorted((a, b) => a.from.getTime() - b.from.getTime());
}

/**
 * Lists the partitions of a branch without its default, the oldest first. Reads their period from their bounds and not
 * from their names, because they may have been created manually.
 */
export async function listDays(branch: Branch): Promise<ListedDay[]> {
  const rows = await listPartitions.all(database(), { parent: branch.table });
  return oldestFirst(rows.map((row) => toListedDay(row, branch)));
}

/** Lists them with their sizes. */
export async function measureDays(branch: Branch): Promise<MeasuredDay[]> {
  const rows = await measurePartitions.here().all(storingDatabase(), { parent: branch.table });
  return oldestFirst(
    rows.map((row) => {
      const day = toListedDay(row, branch);
      return day === null ? null : { ...day, estimatedRows: row.estimated_rows, sizeBytes: row.size_bytes };
    }),
  );
}

/** Lists those of each cell with their sizes, the oldest first. */
export async function measureDaysOfCells(branch: Branch): Promise<MeasuredDay[]> {
  return oldestFirst((await readInEachCell(() => measureDays(branch))).flat());
}

/** Returns the estimated rows of one table. @param table schema and table, quoted */
export async function estimateTable(table: string): Promise<number> {
  return (await estimateOne.here().first(storingDatabase(), { table }))?.rows ?? 0;
}

/** Counts the days after today with a partition in every branch of every cell. Later rows fall into a default partition. */
export async function countDaysAhead(now: Date): Promise<number> {
  const listed = await readInEachCell(() => Promise.all(BRANCHES.map((branch) => listDays(branch))));
  return Math.min(...listed.flat().map((periods) => daysWithoutGap(periods, now)));
}

/** Counts the days that periods, earliest first, cover without a gap after the UTC day of `now`. */
export function daysWithoutGap(periods: readonly Period[], now: Date): number {
  const tomorrow = utcDayOf(now).to.getTime();
  let until = tomorrow;
  for (const { from, to } of periods) {
    if (from.getTime() <= until) until = Math.max(until, to.getTime());
  }
  return Math.floor((until - tomorrow) / DAY_MS);
}

/**
 * Does `work` for each item, one after the other, until the signal ends it. Continues after an item that fails.
 *
 * @throws Error with the reason of each failure, after all items. The item that the signal interrupted is not a failure.
 */
export async function forEachCollectingErrors<T>(
  items: Iterable<T>,
  signal: AbortSignal | undefined,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: Error[] = [];
  const hasEnded = () => signal?.aborted === true;
  for (const item of items) {
    if (hasEnded()) break;
    try {
      await work(item);
    } catch (error) {
      if (hasEnded()) log().info({ err: error }, 'retention stopped in the middle of a partition');
      else failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === 1) throw first;
  throw new Error(failures.map(({ message }) => message).join('; '), { cause: first });
}

/**
 * ATTACH reads the entire default under a lock: a quarter of a second for 280 MB, which is a million rows or what a DELETE
 * has left of them. This size takes about 10 ms.
 */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Whether a default partition is too large to be read under a lock. */
export async function isDefaultLarge(branch: Branch): Promise<boolean> {
  return (await measureDefault(branch)).bytes >= LARGE_BYTES;
}

/** Returns the bytes and the blocks of a default partition, without its indexes. */
export async function measureDefault({ defaultTable }: Branch): Promise<{ bytes: number; blocks: number }> {
  const { bytes, blocks } = await measureTable.here().one(storingDatabase(), { table: defaultTable });
  return { bytes: Number(bytes), blocks: Number(blocks) };
}

/**
 * Lists the UTC days of the rows of a branch in the default partition, the oldest first. Rows from before the year 1 count for its first day.
 * Imported rows from the year 10000 on, or of 'infinity', have no day that a name could contain: they stay where they are and
 * do not keep other rows from their partitions.
 */
export async function listDefaultDays({ name }: Branch): Promise<Period[]> {
  const rows = await listDaysInDefault[name].all(sqlWithTimeout(LONG_STATEMENT_MS));
  return rows.map(({ day }) => utcDayOf(day));
}

/** Counts the rows in the default partitions of a branch, one in each cell. They should be empty (docs/specification.md#metrics). */
export async function countDefaultRows(branch: Branch): Promise<number> {
  const counted = await readInEachCell(() => readFigures(countDefault[branch.name]));
  return counted.flat().reduce((sum, { rows }) => sum + Number(rows), 0);
}

/** Counts them for every branch, by its name. */
export async function countAllDefaultRows(): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const branch of BRANCHES) counted.set(branch.name, await countDefaultRows(branch));
  return counted;
}
