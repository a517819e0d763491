import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { addMs, SECOND_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { tryJobLock } from '@/lib/retention/jobs/job-lock';
import type { CleanupStep, JobRun, RowsByTable } from '@/lib/retention/jobs/job-run';
import { forEachCollectingErrors, isDefaultLarge, listDays, listDefaultDays } from './list-partitions';
import { makePartition, reopenRanges } from './make-partition';
import {
  BRANCHES,
  type Branch,
  type DayPartition,
  daysAhead,
  fullDayCutoff,
  hasFullyExpired,
  isBeingWritten,
  missingPartitions,
  type Period,
} from './partitions';
import { countDefaultUpTo, vacuumTable } from './partitions-sql';
import { deleteLeafRows } from './remove-expired';

/**
 * Creates the partitions of the days ahead, and empties the default partitions, which take the rows that no partition covers:
 * deletes rows of expired days in batches, and moves the others into partitions of their days (docs/decisions/017). When one
 * branch or partition fails, the others are still made.
 */
export const makePartitions: CleanupStep = {
  name: 'make partitions',
  async clean(run) {
    const startedAt = performance.now();
    const clock = () => addMs(run.now, performance.now() - startedAt);
    await alone(() => forEachCollectingErrors(BRANCHES, run.signal, (branch) => sortBranch(branch, run, clock)));
  },

  async preview(run) {
    const rows: RowsByTable = {};
    const partitionsToCreate: string[] = [];
    for (const branch of BRANCHES) {
      const { expired } = await countDefaultUpTo[branch.name].one(sqlWithTimeout(LONG_STATEMENT_MS), {
        until: cutoffOf(branch, run),
      });
      rows[branch.table] = (rows[branch.table] ?? 0) + expired;
      const { kept } = await listDefaultDaysOf(branch, run);
      const missing = await listMissing(branch, [...daysAhead(run.now), ...kept]);
      partitionsToCreate.push(...missing.map(({ table }) => table));
    }
    return { rows, partitionsToCreate };
  },
};

/**
 * Creates the partitions that days lack, with the rows of their default partition. Safe during live writes.
 * @returns how many it created; 0 when another process makes partitions all the time
 */
export async function createPartitions(daysOf: (branch: Branch) => readonly Period[]): Promise<number> {
  let made = 0;
  await alone(() =>
    forEachCollectingErrors(BRANCHES, undefined, async (branch) => {
      const missing = await listMissing(branch, daysOf(branch));
      await forEachCollectingErrors(missing, undefined, async (partition) => {
        await makePartition({ branch, partition, isDefaultLarge: false });
        made += 1;
      });
    }),
  );
  return made;
}

/** Creates every missing partition from the day of `at` on. */
export const createPartitionsAhead = (at: Date) => createPartitions(() => daysAhead(at));

const PATIENCE_MS = 30 * SECOND_MS;

/** Does `work` while no other process makes partitions in the same cell. Leaves it to the other process when that takes long. */
async function alone(work: () => Promise<void>): Promise<void> {
  const lock = await tryJobLock(`make partitions in ${currentSearchPath()}`, PATIENCE_MS);
  if (lock === null) return log().info('another process is making partitions');
  try {
    await work();
  } finally {
    await lock.release();
  }
}

async function sortBranch(branch: Branch, run: JobRun, clock: () => Date): Promise<void> {
  const { signal } = run;
  await reopenRanges(branch, { signal });
  const isLarge = await isDefaultLarge(branch);
  const { kept, hasExpired } = await listDefaultDaysOf(branch, run);
  const make = async () => {
    const missing = await listMissing(branch, [...daysAhead(run.now), ...kept]);
    await forEachCollectingErrors(missing, signal, async (partition) => {
      // Its rows move when nobody writes them any more.
      if (isLarge && isBeingWritten(partition, clock())) return;
      await makePartition({ branch, partition, isDefaultLarge: isLarge, run });
    });
  };
  const deleteExpired = async () => {
    if (!hasExpired) return;
    await deleteLeafRows(run, { qualifiedName: branch.defaultTable, branch }, cutoffOf(branch, run));
  };
  await forEachCollectingErrors([make, deleteExpired], signal, (work) => work());
  if (isLarge && !signal.aborted) await vacuumTable(sqlWithTimeout(LONG_STATEMENT_MS), branch.defaultTable);
}

/** Returns the partitions that any of these days lack. */
async function listMissing(branch: Branch, days: readonly Period[]): Promise<DayPartition[]> {
  const existing = await listDays(branch);
  const distinct = new Map(days.map((day) => [day.from.getTime(), day]));
  return [...distinct.values()].flatMap((day) => missingPartitions(branch, day, existing));
}

async function listDefaultDaysOf(
  branch: Branch,
  { now, policy }: JobRun,
): Promise<{ kept: Period[]; hasExpired: boolean }> {
  const days = await listDefaultDays(branch);
  const kept = days.filter((day) => !hasFullyExpired(day, now, branch.daysKept(policy)));
  return { kept, hasExpired: kept.length < days.length };
}

const cutoffOf = (branch: Branch, { now, policy }: JobRun) => fullDayCutoff(now, branch.daysKept(policy));
