import { setTimeout as sleep } from 'node:timers/promises';
import { inCellOfProject } from '@/lib/orgs/tenant';
import { hasSeveralCells, inCell } from '@/lib/platform/cells/current-cell';
import { database, type Sql } from '@/lib/platform/db';
import { FEW_TRIES, isLockUnavailable, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { beginMoving, findMoveOfProject } from './move-sql';
import {
  deleteAttempts,
  deleteBatch,
  deleteDeliveries,
  deleteProject,
  deleteStats,
  deleteStoredBytes,
  findDeletedProject,
  findRemaining,
  lockProject,
  PROJECT_TABLES,
  type ProjectTable,
} from './purge-sql';

/** How long and how fast a removal may run. */
export interface PurgePace {
  /** On the clock of performance.now(). One batch of each table is removed even later: a small project is removed at once. */
  endsAt: number;
  /** Pauses after each batch for as long as it took, so that live work has the database at least half of the time. */
  isPaced: boolean;
  signal?: AbortSignal;
}

/** `in_use`: another transaction holds a row; try again later. */
type PurgeResult = 'gone' | 'out_of_time' | 'in_use';

/**
 * Removes a deleted project with everything in it. Each batch is a transaction, so an interrupted removal resumes, and
 * several processes may run it at once. A project that is not deleted stays untouched.
 */
export async function purgeProject(projectId: string, pace: PurgePace): Promise<PurgeResult> {
  if ((await findDeletedProject.run(database(), { project: projectId })) === 0) return 'gone';
  return unlessLocked(async () => {
    const result = await emptyCells(projectId, pace);
    if (result === 'gone') {
      await retryLockedTransaction(async (tx) => {
        await lockCopiedTables(tx);
        await deleteProject.run(tx, { project: projectId });
      }, FEW_TRIES);
    }
    return result;
  });
}

async function unlessLocked(work: () => Promise<PurgeResult>): Promise<PurgeResult> {
  try {
    return await work();
  } catch (error) {
    if (isLockUnavailable(error)) return 'in_use';
    throw error;
  }
}

/** Removes what a project of an organization that moves has in the current cell, which the organization is not in. */
export function emptyOtherCell(
  projectId: string,
  moving: string,
  tables: readonly ProjectTable[],
): Promise<PurgeResult> {
  const pace: PurgePace = { endsAt: Number.POSITIVE_INFINITY, isPaced: true };
  return unlessLocked(() => emptyTables(projectId, pace, moving, tables));
}

async function emptyCells(projectId: string, pace: PurgePace): Promise<PurgeResult> {
  const move = hasSeveralCells() ? await findMoveOfProject.first(database(), { project: projectId }) : undefined;
  if (move === undefined) return inCellOfProject(projectId, () => emptyTables(projectId, pace));
  // While an organization moves, its rows are in both cells, and guarded.
  for (const cell of [move.source, move.target]) {
    const result = await inCell(cell, () => emptyTables(projectId, pace, move.organization_id));
    if (result !== 'gone') return result;
  }
  return 'gone';
}

/** @param moving the organization, while it moves */
async function emptyTables(
  projectId: string,
  pace: PurgePace,
  moving?: string,
  tables: readonly ProjectTable[] = PROJECT_TABLES,
): Promise<PurgeResult> {
  for (const table of tables) {
    if (!(await emptyTable(projectId, batchOf(table), pace, moving))) return 'out_of_time';
    if ((await findRemaining[table].run(database(), { project: projectId })) === 0) continue;
    return performance.now() >= pace.endsAt ? 'out_of_time' : 'in_use';
  }
  return 'gone';
}

/** Removes batches until the table has none or time runs out. @returns false when it is told to stop */
async function emptyTable(
  projectId: string,
  batch: PurgeBatch,
  pace: PurgePace,
  moving: string | undefined,
): Promise<boolean> {
  for (let aboveId = LOWEST_ID; ; ) {
    if (pace.signal?.aborted === true) return false;
    const startedAt = performance.now();
    const from = aboveId;
    const lastId = await retryLockedTransaction(async (tx) => {
      if (moving !== undefined) await beginMoving(tx, moving);
      return batch(tx, projectId, from);
    }, FEW_TRIES);
    if (lastId === null || performance.now() >= pace.endsAt) return true;
    // Continues after the last id: starting over would scan index entries of deleted rows that vacuum has not removed.
    aboveId = lastId;
    if (pace.isPaced) await rest(performance.now() - startedAt, pace.signal);
  }
}

/** Pauses between two batches. */
export async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

/** Deletes a batch of a project's rows above an id. Returns the highest id of the batch, null when no row was found. */
type PurgeBatch = (tx: Sql, projectId: string, aboveId: string) => Promise<string | null>;

function batchOf(table: ProjectTable): PurgeBatch {
  switch (table) {
    case 'deliveries':
      return deliveriesBatch;
    case 'stats':
      return statsBatch;
    case 'stored_bytes':
      return storedBytesBatch;
    default:
      return async (tx, projectId, aboveId) =>
        (await deleteBatch[table].first(tx, { project: projectId, above: aboveId }))?.id ?? null;
  }
}

/**
 * Deletes a batch of deliveries with their attempts. Attempts have no index by project and no foreign key: they are
 * found by their deliveries, and deleted after those, when no worker can record another attempt.
 */
async function deliveriesBatch(tx: Sql, projectId: string, aboveId: string): Promise<string | null> {
  const rows = await deleteDeliveries.all(tx, { project: projectId, above: aboveId });
  const ids = rows.map(({ id }) => id).toSorted();
  if (ids.length > 0) await deleteAttempts.run(tx, { deliveries: ids });
  return ids.at(-1) ?? null;
}

/**
 * Deletes a batch of a project's statistics. The lock waits for a worker that is adding some, and later ones see that the
 * project is deleted.
 */
async function statsBatch(tx: Sql, projectId: string, aboveId: string): Promise<string | null> {
  await lockCopiedTables(tx);
  await lockProject.run(tx, { project: projectId });
  return (await deleteStats.run(tx, { project: projectId })) === 0 ? null : aboveId;
}

/** Deletes the rows of a project's bytes at once: few thousand at most. */
async function storedBytesBatch(tx: Sql, projectId: string): Promise<null> {
  await lockCopiedTables(tx);
  await lockProject.run(tx, { project: projectId });
  await deleteStoredBytes.run(tx, { project: projectId });
  return null;
}
