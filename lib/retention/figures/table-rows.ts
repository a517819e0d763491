import { MINUTE_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { readFigures } from '@/lib/platform/read-figures';
import { CLEANED_TABLES, type CleanupStep } from '@/lib/retention/jobs/job-run';
import { countAllDefaultRows } from '@/lib/retention/partitions/default-partition';
import { analyzeTable, estimateTables, listForgotten, setTableRows } from './figures-sql';

interface EstimatedTable<T extends string> {
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

/** Analyzes tables without statistics, and their partitions, so that their rows can be estimated. */
export async function analyzeMissingStatistics(tables: readonly string[]): Promise<void> {
  for (const { name } of await listForgotten.all(database(), tables)) {
    try {
      await inSqlTransaction((tx) => analyzeTable(tx, name), { statementMs: MINUTE_MS });
    } catch (error) {
      // Somebody holds the table or has dropped it. The next run tries again.
      log().warn({ err: error, table: name }, 'table without statistics could not be analyzed');
    }
  }
}

/**
 * The metrics job: records in its run the estimated rows of each table and the rows in default partitions, so that growth
 * is visible without Prometheus.
 */
export const recordTableRows: CleanupStep = {
  async clean(run) {
    await analyzeMissingStatistics(CLEANED_TABLES);
    const estimates = await estimateRows(CLEANED_TABLES);
    const defaults = await countAllDefaultRows();
    const tableRows = {
      ...Object.fromEntries(estimates.map(({ table, rows }) => [table, rows])),
      partitionDefaultRows: [...defaults.values()].reduce((sum, rows) => sum + rows, 0),
    };
    await setTableRows.run(database(), run.id, tableRows);
  },
  preview: async () => ({}),
};
