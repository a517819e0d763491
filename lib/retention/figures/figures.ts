import { MINUTE_MS } from '@/lib/platform/clock';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { database, inSqlTransaction, isCellElsewhere, storingDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { readFigures, readFiguresFrom, readInEachCell } from '@/lib/platform/read-figures';
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

/** Finds the oldest rows of all cells: by index, and in partitioned tables among the first rows of the oldest day that has some. */
export async function findOldestRows(): Promise<OldestRows> {
  const [first, ...others] = await readInEachCell(findOldestOfCell);
  if (first === undefined) throw new Error('there is no cell');
  return others.reduce<OldestRows>(
    (oldest, { events, incomingEvents, deadOutbox, succeededAttempts, failedAttempts, tunnelRequests }) => ({
      events: earlierOf(oldest.events, events),
      incomingEvents: earlierOf(oldest.incomingEvents, incomingEvents),
      deadOutbox: earlierOf(oldest.deadOutbox, deadOutbox),
      succeededAttempts: earlierOf(oldest.succeededAttempts, succeededAttempts),
      failedAttempts: earlierOf(oldest.failedAttempts, failedAttempts),
      tunnelRequests: earlierOf(oldest.tunnelRequests, tunnelRequests),
    }),
    first,
  );
}

function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

async function findOldestOfCell(): Promise<OldestRows> {
  const [indexed] = await readFigures(findOldestByIndex);
  return {
    ...(indexed ?? { events: null, incomingEvents: null, deadOutbox: null }),
    succeededAttempts: await findOldestOfBranch(branchOf('delivery_attempts_succeeded')),
    failedAttempts: await findOldestOfBranch(branchOf('delivery_attempts_failed')),
    tunnelRequests: await findOldestOfBranch(branchOf('tunnel_request_log')),
  };
}

/** Partitions have no index by time. Reads the first rows of each, up to the first partition that has a row. */
async function findOldestOfBranch(branch: Branch): Promise<Date | null> {
  const inDefault = await findOldestIn(branch.defaultTable, branch);
  for (const { qualifiedName } of await listDays(branch)) {
    const oldest = await findOldestIn(qualifiedName, branch);
    if (oldest !== null) return earlierOf(inDefault, oldest);
  }
  return inDefault;
}

async function findOldestIn(table: string, branch: Branch): Promise<Date | null> {
  try {
    const [found] = await readFigures(findOldest(table, branch));
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

/**
 * Returns the estimated rows and the bytes of each table, in the given order. Adds up the partitions of a table, and the tables of all
 * cells.
 */
export async function estimateRows<T extends string>(tables: readonly T[]): Promise<EstimatedTable<T>[]> {
  const sums = new Map(tables.map((table) => [table, { table, rows: 0, bytes: 0 }]));
  for (const { table, rows, bytes } of await estimateRowsByCell(tables)) {
    const sum = sums.get(table);
    if (sum === undefined) continue;
    sum.rows += rows;
    sum.bytes += bytes;
  }
  return [...sums.values()];
}

/** Returns them for each cell. What all cells share is with the first one. */
export async function estimateRowsByCell<T extends string>(
  tables: readonly T[],
): Promise<(EstimatedTable<T> & { cell: string })[]> {
  const shared = new Set<string>();
  const byCell = await readInEachCell(async (cell) => {
    const rows = await estimateInCell(tables.filter((table) => !shared.has(table)));
    for (const { name, is_shared } of rows) if (is_shared) shared.add(name);
    return rows.map((row) => ({ cell, table: row.name as T, rows: Number(row.rows), bytes: Number(row.bytes) }));
  });
  return byCell.flat();
}

/** A machine that has cells placed lacks tables that all cells share: they are where DATABASE_URL leads. */
async function estimateInCell(tables: readonly string[]) {
  const stored = await readFiguresFrom(storingDatabase(), estimateTables.here(), { tables });
  if (!isCellElsewhere()) return stored;
  const found = new Set(stored.map(({ name }) => name));
  const others = tables.filter((table) => !found.has(table));
  return [...stored, ...(await readFigures(estimateTables.plain, { tables: others }))];
}

/** Analyzes tables without statistics, and their partitions, in all cells, so that their rows can be estimated. */
export async function analyzeMissingStatistics(tables: readonly string[]): Promise<void> {
  await readInEachCell(() => analyzeInCell(tables));
}

async function analyzeInCell(tables: readonly string[]): Promise<void> {
  for (const { name } of await listForgotten.here().all(storingDatabase(), { tables })) {
    try {
      await inSqlTransaction((tx) => analyzeTable(tx, name), { statementMs: MINUTE_MS });
    } catch (error) {
      // Somebody holds the table or has dropped it. The next run tries again.
      log().warn({ err: error, table: name }, 'table without statistics could not be analyzed');
    }
  }
}

/**
 * The metrics job: records in its run the estimated rows of each table and the rows in default partitions, of all cells together, so
 * that growth is visible without Prometheus.
 */
export const recordTableRows: CleanupStep = {
  name: 'rows by table',
  isShared: true,
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
