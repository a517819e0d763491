import { setTimeout as sleep } from 'node:timers/promises';
import { addMs, SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import { listDays } from './list-partitions';
import { makePartition } from './make-partition';
import { gapsOf, missingPartitions } from './partition-policy';
import { type Branch, utcDayOf } from './partitions';
import { countMsUntil, readClock } from './reserve-today-sql';

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
export async function reserveRestOfToday(branch: Branch, run: JobRun, reserveMs?: number): Promise<Date | null> {
  const { now, megabytes } = await readClock.one(database(), branch.defaultTable);
  const leadMs = reserveMs ?? RESERVE_MS + megabytes * RESERVE_MS_PER_MB;
  const today = utcDayOf(now);
  const [from, existing] = [addMs(now, leadMs), await listDays(branch)];
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
export async function waitUntil(at: Date, signal: AbortSignal): Promise<void> {
  const { ms } = await countMsUntil.one(database(), at);
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
}
