import { MINUTE_MS } from '@/lib/platform/clock';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { readFigures } from '@/lib/platform/read-figures';
import { CLEANED_TABLES, type CleanupStep } from '@/lib/retention/jobs/job-run';
import { countAllDefaultRows, listDays } from '@/lib/retention/partitions/list-partitions';
import { type Branch, branchOf } from '@/lib/retention/partitions/partitions';
import type { DataClass } from '@/lib/retention/schema';
import {
  analyzeTable,
  estimateTables,
  findOldest,
  findOldestByIndex,
  listForgotten,
  setTableRows,
} from './figures-sql';

/** created_at of the oldest row of each class that expires by age (dead_at for dead outbox rows); null without a row. */
type OldestRows = Record<Exclude<DataClass, 'attemptsPerDelivery'>, Date | null>;

/** Finds the oldest rows: by index, and in partitioned tables by reading the oldest day that has rows. */
export async function findOldestRows(): Promise<OldestRows> {
  const [indexed] = await readFigures(findOldestByIndex);
  return {
    ...(indexed ?? { events: null, incomingEvents: null, deadOutbox: null }),
    succeededAttempts: await findOldestOfBranch(branchOf('delivery_attempts_succeeded')),
    failedAttempts: await findOldestOfBranch(branchOf('delivery_attempts_failed')),
    tunnelRequests: await findOldestOfBranch(branchOf('tunnel_request_log')),
  };
}

/** Partitions have no index by time. Reads each at most once, up to the first that has a row. */
async function findOldestOfBranch(branch: Branch): Promise<Date | null> {
  const inDefault = await findOldestIn(branch.defaultTable);
  for (const { qualifiedName } of await listDays(branch)) {
    const oldest = await findOldestIn(qualifiedName);
    if (oldest !== null) return inDefault !== null && inDefault < oldest ? inDefault : oldest;
  }
  return inDefault;
}

async function findOldestIn(table: string): Promise<Date | null> {
  try {
    const [found] = await readFigures(findOldest(table));
    return found?.oldest ?? null;
  } catch (error) {
    // The partition was dropped after it was listed.
    if (sqlState(error) === SQL_STATE.undefinedTable) return null;
    throw error;
  }
}

interface EstimatedTable<T extends string> {
  table: T;
  rows: number;
  /** Includes indexes and values stored outside the row. */
  bytes: number;
}

/** Returns the estimated rows and the bytes of each table of `public`, in the given order. Adds up the partitions of a table. */
export async function estimateRows<T extends string>(tables: readonly T[]): Promise<EstimatedTable<T>[]> {
  const rows = await readFigures(estimateTables, { tables });
  return rows.map((row) => ({ table: row.name as T, rows: Number(row.rows), bytes: Number(row.bytes) }));
}

/** Analyzes tables without statistics, and their partitions, so that their rows can be estimated. */
export async function analyzeMissingStatistics(tables: readonly string[]): Promise<void> {
  for (const { name } of await listForgotten.all(database(), { tables })) {
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
  name: 'rows by table',
  async clean(run) {
    await analyzeMissingStatistics(CLEANED_TABLES);
    const estimates = await estimateRows(CLEANED_TABLES);
    const defaults = await countAllDefaultRows();
    const tableRows = {
      ...Object.fromEntries(estimates.map(({ table, rows }) => [table, rows])),
      partitionDefaultRows: [...defaults.values()].reduce((sum, rows) => sum + rows, 0),
    };
    await setTableRows.run(database(), { tableRows, run: run.id });
  },
  preview: async () => ({}),
};
