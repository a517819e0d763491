import { log } from '@/lib/platform/log';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import { expiredUntil } from '@/lib/retention/retention-policy';
import { AttemptLookout } from './attempt-lookout';
import { BatchHeld, LOCK_TIMEOUT_MS, runInBatches } from './batches';
import { ask, type Locked, type OriginBatch, type Progress, placeAfter } from './origin-batch';
import { lockSql, type Origin, PLANNER_SETTINGS, type Place } from './origin-sql';
import { removeOneByOne } from './remove-one-by-one';
import { removeTogether } from './remove-together';
import { type Thinning, thinOut } from './thin-out';

/** For attempts and the counters: a lock of theirs, unlike a row's, is not held for long. */
const WAIT_A_LITTLE = `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`;
const BEGINNING: Place = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Removes the expired events or incoming events, oldest first, each in one transaction with its deliveries, their attempts
 * and its dead outbox rows; but none on which anybody still works (docs/decisions/017-what-leaves-with-an-event.md).
 *
 * It never waits for a row, so it is in no deadlock. What it passed over the next run meets again; this one goes on behind
 * the last it met, since deleted rows stay in the index while anyone might still see them.
 */
export async function cleanOrigins(run: JobRun, origin: Origin, days: number): Promise<void> {
  const until = expiredUntil(run.now, days).toISOString();
  const lookout = new AttemptLookout();
  let [place, room] = [BEGINNING, run.policy.batchSize];
  let thinning: Thinning | null = null;
  await runInBatches(run, async (tx, limit, failures) => {
    const wanted = Math.max(1, Math.min(limit, Math.floor(room)));
    const lock = () => ask<Locked>(tx, `lock-${origin.table}`, lockSql(origin), [until, place.time, place.id, wanted]);
    await tx.query(`${PLANNER_SETTINGS}; SAVEPOINT before`);
    const locked = await lock();
    if (locked.met === 0) return false;
    const batch = { tx, run, origin, lookout, limit };
    const progress = await remove(batch, locked, { lock, thinning, isFirstTry: failures === 0 });
    // Only now: what was rolled back is met again.
    place = progress.place ?? place;
    // Slowly, so that what was passed over, or is held a little further on, is not met in a large batch again and again.
    room = Math.min(progress.room, wanted * 2);
    thinning = progress.thinning;
    return !progress.isThrough || locked.met === wanted;
  });
}

interface Manner {
  lock: () => Promise<Locked>;
  thinning: Thinning | null;
  isFirstTry: boolean;
}

/** Removes what was locked, in the quickest way that will do. */
async function remove(batch: OriginBatch, locked: Locked, manner: Manner): Promise<Progress> {
  try {
    const { lock, thinning, isFirstTry } = manner;
    if (thinning !== null && locked.ids === `{${thinning.id}}`) {
      await batch.tx.query(WAIT_A_LITTLE);
      return await thinOut(batch, thinning.id, thinning);
    }
    let held = locked;
    if (isFirstTry) {
      const progress = await removeTogether(batch, locked);
      if (progress !== null) return progress;
      await batch.tx.query('ROLLBACK TO before');
      held = await lock();
    }
    await batch.tx.query(WAIT_A_LITTLE);
    if (held.met > 0) return await removeOneByOne(batch, held);
    return { place: null, room: batch.limit, isThrough: true, thinning: null };
  } catch (error) {
    if (!(error instanceof BatchHeld)) throw error;
    await batch.tx.query('ROLLBACK TO before');
    return passOver(batch, locked);
  }
}

/** Leaves out an event of which somebody holds an attempt, which is found by trying ever fewer. */
function passOver({ run, origin, limit }: OriginBatch, locked: Locked): Progress {
  if (locked.met > 1) return { place: null, room: locked.met / 2, isThrough: false, thinning: null };
  log().warn(
    { job: run.job, table: origin.table, id: locked.last_id },
    'somebody holds an attempt: left to the next run',
  );
  return { place: placeAfter(locked), room: limit, isThrough: false, thinning: null };
}
