import { readFigures } from '@/lib/platform/read-figures';
import { estimateTables } from './estimate-rows-sql';

export interface EstimatedTable<T extends string> {
  table: T;
  rows: number;
  /** Includes indexes and values stored outside the row. */
  bytes: number;
}

/** Returns the estimated rows and the bytes of each table of `public`, in the given order. Adds up the partitions of a table. */
export async function estimateRows<T extends string>(tables: readonly T[]): Promise<EstimatedTable<T>[]> {
  const rows = await readFigures(estimateTables, tables);
  return rows.map((row) => ({ table: row.name as T, rows: Number(row.rows), bytes: Number(row.bytes) }));
}
