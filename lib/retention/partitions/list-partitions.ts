import { DAY_MS } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { BRANCHES, type Branch, type DayPartition, type Period, utcDayOf } from './partitions';
import { estimateOne, listPartitions, measurePartitions, type PartitionRow } from './partitions-sql';

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
const BOUNDS = /^FOR VALUES FROM \((?:'([^']+)'|MINVALUE)\) TO \((?:'([^']+)'|MAXVALUE)\)$/;

/** Returns `end` for an invalid time, such as '-infinity', and for one outside the limits of a Date. */
function readTime(text: string | undefined, endMs: number): Date {
  const at = new Date((text ?? '').replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(at.getTime()) ? new Date(endMs) : at;
}

/** @returns null for the default partition */
function toListedDay(row: PartitionRow): ListedDay | null {
  const bounds = BOUNDS.exec(row.bounds);
  if (bounds === null) return null;
  return {
    oid: row.oid,
    table: row.table,
    qualifiedName: row.qualified_name,
    bounds: row.bounds,
    isPlainTable: row.is_plain_table,
    from: readTime(bounds[1], -ENDLESS_MS),
    to: readTime(bounds[2], ENDLESS_MS),
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
  const rows = await listPartitions.all(database(), branch.parent);
  return oldestFirst(rows.map(toListedDay));
}

/** Lists them with their sizes. */
export async function measureDays(branch: Branch): Promise<MeasuredDay[]> {
  const rows = await measurePartitions.all(database(), branch.parent);
  return oldestFirst(
    rows.map((row) => {
      const day = toListedDay(row);
      return day === null ? null : { ...day, estimatedRows: row.estimated_rows, sizeBytes: row.size_bytes };
    }),
  );
}

/** Returns the estimated rows of one table. */
export async function estimateTable(sql: Sql, oid: number): Promise<number> {
  return (await estimateOne.first(sql, oid))?.rows ?? 0;
}

/** Counts the days after today with a partition in every branch. Later rows fall into a default partition. */
export async function countDaysAhead(now: Date): Promise<number> {
  const listed = await Promise.all(BRANCHES.map((branch) => listDays(branch)));
  return Math.min(...listed.map((periods) => daysWithoutGap(periods, now)));
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
