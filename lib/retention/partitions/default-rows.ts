import { setTimeout as sleep } from 'node:timers/promises';
import { addMs, SECOND_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import type { CleanupStep, JobRun, RowsByTable } from '@/lib/retention/jobs/job-run';
import { createAhead } from './create-partitions';
import { deleteLeafRows } from './delete-expired-rows';
import { forEachCollectingErrors, isDefaultLarge, listDays, listDefaultDays, vacuumDefault } from './list-partitions';
import { skipWhenBusy } from './locks';
import { makePartition } from './make-partition';
import {
  BRANCHES,
  type Branch,
  type DayPartition,
  daysAhead,
  fullDayCutoff,
  gapsOf,
  hasFullyExpired,
  isQuiet,
  missingPartitions,
  type Period,
  utcDayOf,
} from './partitions';
import { countDefaultUpTo, countMsUntil, readClock } from './partitions-sql';

/**
 * Empties the default partitions, which take the rows that no partition covers: deletes rows of expired days in batches,
 * and moves the others into partitions of their days (docs/decisions/017).
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
  const days = await listDefaultDays(branch);
  const isLarge = await isDefaultLarge(branch);
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

/** From the moment the default refuses the rows until the first is written. In between the default is read without a lock. */
const RESERVE_MS = 30 * SECOND_MS;
/** Added for each megabyte to read. */
const RESERVE_MS_PER_MB = 20;
/** What must be left of that time to create the partition. Otherwise rows continue to be written to the default. */
const MARGIN = 0.25;

/**
 * Creates a partition for the rest of today that begins shortly after now, while rows are still written to the default. A
 * partition that begins now could only be attached with everybody locked out.
 *
 * @returns when it begins, by the database's clock; null when it is not needed or the day is about to end
 * @throws Error when it could not be created in time
 */
async function reserveRestOfToday(branch: Branch, run: JobRun, reserveMs?: number): Promise<Date | null> {
  const { now, megabytes } = await readClock.one(database(), branch.defaultTable);
  const leadMs = reserveMs ?? RESERVE_MS + megabytes * RESERVE_MS_PER_MB;
  const today = utcDayOf(now);
  const from = addMs(now, leadMs);
  const existing = await listDays(branch);
  const gap = gapsOf(today, existing).find((stretch) => stretch.from <= now && now < stretch.to);
  // A run with another time than now is a rehearsal of that time.
  if (gap === undefined || from >= gap.to || utcDayOf(run.now).from > now || utcDayOf(run.now).to <= now) return null;
  const [partition] = missingPartitions(branch, { from, to: gap.to }, existing);
  if (partition === undefined) return null;
  const { signal, dispose } = deadline(leadMs * (1 - MARGIN), run.signal);
  try {
    await makePartition({
      branch,
      partition,
      use: 'reserved',
      run,
      signal,
      statementTimeoutMs: Math.round(leadMs / 2),
    });
  } finally {
    dispose();
  }
  return from;
}

/** Returns a signal that fires after a time, or with another signal. */
function deadline(ms: number, also: AbortSignal): { signal: AbortSignal; dispose: () => void } {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, ms);
  also.addEventListener('abort', end);
  if (also.aborted) end();
  return {
    signal: ending.signal,
    dispose: () => {
      clearTimeout(timer);
      also.removeEventListener('abort', end);
    },
  };
}

/** By the database's clock, which is assumed to differ from ours by a second at most. */
async function waitUntil(at: Date, signal: AbortSignal): Promise<void> {
  const { ms } = await countMsUntil.one(database(), at);
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
}
