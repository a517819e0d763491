import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import type { CleanupStep, JobRun, RowsByTable } from '@/lib/retention/jobs/job-run';
import { skipWhenBusy } from './branch-lock';
import { createAhead } from './create-partitions';
import { isDefaultLarge, listDefaultDays, vacuumDefault } from './default-partition';
import { deleteLeafRows } from './delete-leaf-rows';
import { forEachCollectingErrors } from './for-each-collecting-errors';
import { countDefaultUpTo } from './leaf-rows-sql';
import { listDays } from './list-partitions';
import { makePartition } from './make-partition';
import { fullDayCutoff, hasFullyExpired, isQuiet, missingPartitions } from './partition-policy';
import { BRANCHES, type Branch, type DayPartition, daysAhead, type Period } from './partitions';
import { reserveRestOfToday, waitUntil } from './reserve-today';

/**
 * Empties the default partitions, which take the rows that no partition covers: deletes rows of expired days in batches,
 * and moves the others into partitions of their days (docs/decisions/018).
 */
export const emptyDefaultPartitions: CleanupStep = {
  clean: (run) => emptyDefaults(run),

  async preview(run) {
    const rows: RowsByTable = {};
    const partitionsToCreate: string[] = [];
    for (const branch of run.policy.maintainsPartitions ? BRANCHES : []) {
      rows[branch.table] = (rows[branch.table] ?? 0) + (await countExpired(branch, run));
      partitionsToCreate.push(...(await listToCreate(branch, run)));
    }
    return { rows, partitionsToCreate };
  },
};

/**
 * @param reserveMs how far ahead of now the partition begins that takes over from a large default in use
 * @throws Error with the reason for each stretch that could not be moved, after the others have been
 */
export async function emptyDefaults(run: JobRun, reserveMs?: number): Promise<void> {
  if (!run.policy.maintainsPartitions) return;
  await forEachCollectingErrors(BRANCHES, run.signal, (branch) =>
    skipWhenBusy(() => sortBranch(branch, run, reserveMs)),
  );
}

async function sortBranch(branch: Branch, run: JobRun, reserveMs: number | undefined): Promise<void> {
  const [days, isLarge] = [await listDefaultDays(branch), await isDefaultLarge(branch)];
  if (days.some((day) => isExpired(branch, day, run))) {
    const leaf = { qualifiedName: branch.defaultTable, table: branch.table };
    await deleteLeafRows(run, leaf, fullDayCutoff(run.now, branch.daysKept(run.policy)));
  }
  if (isLarge) await sortLarge(branch, run, reserveMs);
  else await moveDays(branch, run, 'live');
}

/**
 * First, new rows get a partition for the rest of today. A later run moves the default's rows of today, when nobody writes
 * them. The days ahead are last: then there is less to read, and nobody writes to the default.
 */
async function sortLarge(branch: Branch, run: JobRun, reserveMs: number | undefined): Promise<void> {
  const reservedFrom = await reserveRestOfToday(branch, run, reserveMs);
  await moveDays(branch, run, 'closed');
  if (reservedFrom !== null) await waitUntil(reservedFrom, run.signal);
  if (run.signal.aborted) return;
  await vacuumDefault(branch);
  await createAhead(branch, reservedFrom ?? run.now, run);
}

/** Creates a partition for each uncovered stretch of the days of the default's rows. */
async function moveDays(branch: Branch, run: JobRun, use: 'live' | 'closed'): Promise<void> {
  const partitions = await listMissing(branch, run);
  await forEachCollectingErrors(partitions, run.signal, async (partition) => {
    if (use === 'live' || isQuiet(partition, run.now)) await makePartition({ branch, partition, use, run });
  });
}

const isExpired = (branch: Branch, day: Period, { now, policy }: JobRun) =>
  hasFullyExpired(day, now, branch.daysKept(policy));

async function listKeptDays(branch: Branch, run: JobRun): Promise<Period[]> {
  return (await listDefaultDays(branch)).filter((day) => !isExpired(branch, day, run));
}

async function listMissing(branch: Branch, run: JobRun): Promise<DayPartition[]> {
  const days = await listKeptDays(branch, run);
  const existing = days.length > 0 ? await listDays(branch) : [];
  return days.flatMap((day) => missingPartitions(branch, day, existing));
}

/** Excludes the days ahead, which makePartitions reports. */
async function listToCreate(branch: Branch, run: JobRun): Promise<string[]> {
  const ahead = new Set(daysAhead(branch, run.now).map(({ table }) => table));
  return (await listMissing(branch, run)).map(({ table }) => table).filter((table) => !ahead.has(table));
}

async function countExpired(branch: Branch, { now, policy }: JobRun): Promise<number> {
  const cutoff = fullDayCutoff(now, branch.daysKept(policy));
  return (await countDefaultUpTo[branch.name].one(sqlWithTimeout(LONG_STATEMENT_MS), cutoff)).expired;
}
