import { inCell } from '@/lib/platform/cells/current-cell';
import { isReferenceGone, isUniqueViolation } from '@/lib/platform/database-errors';
import { inSqlTransaction, type Sql } from '@/lib/platform/db';
import { groupBy } from '@/lib/platform/group-by';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import {
  type Copy,
  copyChanged,
  copyChangedStats,
  copyPage,
  copyPermits,
  copySmall,
  copyStatsPage,
  deleteChanges,
  deleteGone,
  endInSource,
  type Locking,
  MOVED_TABLES,
  moveBatch,
  movePending,
  NOTED_TABLES,
  type NotedTable,
  SMALL_TABLES,
  type StatKey,
  selectChanges,
  type TableShape,
} from './copy-rows-sql';
import { beginMoving } from './move-sql';

/** What an organization has in the cell that it leaves. */
export interface Belongings {
  organizationId: string;
  source: string;
  target: string;
  projects: readonly string[];
  /** The tables of a cell, by name. */
  tables: ReadonlyMap<string, TableShape>;
  /** It works in its new cell. */
  hasMoved?: boolean;
}

/** A batch of events may have 256 MB, one of incoming events 525 MB. */
const BATCH_MS = 60_000;

/** What others write between two statements may make the second one fail; it succeeds when it is repeated. */
const MAX_TRIES = 10;

/** Runs a transaction that writes what the organization has, in the cell that it goes to. */
export async function inTarget<T>({ organizationId, target }: Belongings, work: (tx: Sql) => Promise<T>): Promise<T> {
  const transaction = async (tx: Sql) => {
    await beginMoving(tx, organizationId);
    return work(tx);
  };
  for (let tries = 1; ; tries++) {
    try {
      return await inCell(target, () => inSqlTransaction(transaction, { statementMs: BATCH_MS }));
    } catch (error) {
      const isOvertaken = isUniqueViolation(error) || isReferenceGone(error);
      if (!isOvertaken || tries === MAX_TRIES) throw error;
    }
  }
}

function copyOf({ source, tables, hasMoved = false }: Belongings, name: string): Copy {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`${source} has no table ${name}`);
  return { source, table, tables, hasMoved };
}

/** Copies all that is not there yet, and returns after the last row that was there when this began. */
export async function copyRows(all: Belongings, onTable: (table: NotedTable) => void): Promise<void> {
  for (const name of NOTED_TABLES) {
    onTable(name);
    const copy = copyOf(all, name);
    for (const project of all.projects) {
      if (name === 'stats') await copyStats(all, copy, project);
      else await copyTable(all, copy, project);
    }
  }
}

async function copyTable(all: Belongings, copy: Copy, project: string): Promise<void> {
  for (let above: string | null = LOWEST_ID; above !== null; ) {
    const from: string = above;
    above = await inTarget(all, (tx) => copyPage(tx, copy, project, from));
  }
}

async function copyStats(all: Belongings, copy: Copy, project: string): Promise<void> {
  let last: StatKey | null = null;
  do {
    const after: StatKey | null = last;
    last = await inTarget(all, (tx) => copyStatsPage(tx, copy, project, after));
  } while (last !== null);
}

/**
 * Copies rows again that were written since. Deletes children first, and writes parents first, so that references hold.
 * @returns how many changes it has copied: 0 when there was none
 */
export async function copyChanges(tx: Sql, all: Belongings): Promise<number> {
  const changes = await selectChanges(tx, all.source, all.organizationId);
  if (changes.length === 0) return 0;
  const byTable = groupBy(changes, ({ table_name }) => table_name);
  const idsOf = (table: string) => [...new Set(byTable.get(table)?.map(({ row_id }) => row_id))];
  for (const table of NOTED_TABLES.toReversed())
    if (table !== 'stats' && byTable.has(table)) await deleteGone(tx, copyOf(all, table), idsOf(table));
  for (const table of NOTED_TABLES) {
    const ofTable = byTable.get(table);
    if (ofTable === undefined) continue;
    if (table === 'stats') await copyChangedStats(tx, copyOf(all, table), ofTable);
    else await copyChanged(tx, copyOf(all, table), idsOf(table));
  }
  await deleteChanges(tx, all.source, changes);
  return changes.length;
}

/** Copies what is small, and what changes without a trace. */
export async function copyRest(tx: Sql, all: Belongings): Promise<void> {
  for (const table of SMALL_TABLES) await copySmall(tx, copyOf(all, table), all.projects);
  await copyPermits(tx, copyOf(all, 'endpoints'), all.projects);
}

/**
 * Moves a batch of waiting work from each table, and ends in the source what must not go on there.
 * @param locking skips locked rows while the lock of the move is held
 * @returns whether there may be more
 */
export async function moveWork(tx: Sql, all: Belongings, locking: Locking): Promise<boolean> {
  await endInSource(tx, all.source, all.projects, locking);
  let moved = await movePending(tx, copyOf(all, 'deliveries'), all.projects, locking);
  for (const table of MOVED_TABLES) moved += await moveBatch(tx, copyOf(all, table), all.projects, locking);
  return moved > 0;
}
