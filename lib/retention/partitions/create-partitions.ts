import { log } from '@/lib/platform/log';
import type { CleanupStep, JobRun } from '@/lib/retention/jobs/job-run';
import {
  forEachCollectingErrors,
  hasClosedRanges,
  isDefaultLarge,
  listDays,
  listDefaultDays,
  reopenRanges,
} from './list-partitions';
import { skipWhenBusy, withBranchLock } from './locks';
import { makePartition } from './make-partition';
import { BRANCHES, type Branch, type DayPartition, daysAhead, missingPartitions, type Period } from './partitions';

/**
 * Creates every missing partition of the days ahead. Safe during live writes, and when other processes do the same.
 * When one branch fails, the others still get their partitions.
 *
 * @param run counts the partitions and can end the work
 * @returns how many it created
 * @throws Error with the reason for each partition that could not be created
 */
export async function createPartitionsAhead(at: Date, run?: JobRun): Promise<number> {
  let made = 0;
  await forEachCollectingErrors(BRANCHES, run?.signal, async (branch) => {
    made += await createAhead(branch, at, run);
  });
  return made;
}

/**
 * Creates the partitions that a branch lacks from today on. Skips those that would block writes while a large default
 * partition is read: emptyDefaultPartitions empties it first.
 */
export async function createAhead(branch: Branch, at: Date, run?: JobRun): Promise<number> {
  const missing = await listMissing(branch, at);
  if (missing.length === 0) return 0;
  const inDefault = new Set((await listDefaultDays(branch)).map(({ from }) => +from));
  const isLive = (partition: Period) => partition.from <= at || inDefault.has(+partition.from);
  const isLarge = await isDefaultLarge(branch);
  if (isLarge && missing.some(({ from, to }) => from <= at && at < to)) {
    log().warn({ table: branch.defaultTable }, 'no partition is created before this default partition is emptied');
    return 0;
  }
  let made = 0;
  await forEachCollectingErrors(missing, run?.signal, async (partition) => {
    const use = isLive(partition) ? 'live' : 'ahead';
    if (use === 'live' && isLarge) return;
    if (await makePartition({ branch, partition, use, run })) made += 1;
  });
  return made;
}

async function listMissing(branch: Branch, at: Date): Promise<DayPartition[]> {
  const existing = await listDays(branch);
  return daysAhead(branch, at).flatMap((day) => missingPartitions(branch, day, existing));
}

/** Creates the partitions of the days ahead (docs/specification.md#retention). */
export const makePartitions: CleanupStep = {
  async clean(run) {
    if (!run.policy.maintainsPartitions) return;
    await forEachCollectingErrors(BRANCHES, run.signal, (branch) => skipWhenBusy(() => makeMissing(branch, run)));
  },

  async preview({ policy, now }) {
    if (!policy.maintainsPartitions) return {};
    const missing = await Promise.all(BRANCHES.map((branch) => listMissing(branch, now)));
    return { partitionsToCreate: missing.flat().map(({ table }) => table) };
  },
};

async function makeMissing(branch: Branch, run: JobRun): Promise<void> {
  if (await hasClosedRanges(branch)) {
    await withBranchLock(branch, run.signal, () => reopenRanges(branch, { signal: run.signal }));
  }
  await createAhead(branch, run.now, run);
}
