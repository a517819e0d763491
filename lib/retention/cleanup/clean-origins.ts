import type { Transaction } from '@/lib/platform/db';
import { countDone, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { expiredUntil } from '@/lib/retention/retention-policy';
import { AttemptLookout, type AttemptWindow } from './attempt-lookout';
import { runInBatches } from './batches';
import { deleteAttempts } from './delete-attempts';
import { deleteSql, lockSql, type Origin, PLANNER_SETTINGS, type Place, surveySql, takeSql } from './origin-sql';
import { thinOut } from './thin-out';

const BEGINNING: Place = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
/** Batches are planned a little smaller than they may be: one that does not fit takes more statements. */
const FILL = 0.95;
/**
 * Attempts of one batch, as multiples of its size. They leave in as many statements: were they to make the batches smaller,
 * a delivery of ten attempts would cost as much as ten, most of which have left by their age though nobody has counted it.
 */
const ATTEMPT_SLICES = 10;

/** A batch of origins, locked. Arrays of ids are PostgreSQL's, as text: they are only handed on. */
interface Locked {
  met: number;
  ids: string;
  last_id: string;
  last_time: string;
}

/** The deliveries of a batch; arrays in the order of the ids. */
interface Dependents {
  deliveries: number;
  delivery_ids: string[] | null;
  stored_attempts: number[] | null;
  /** When the last attempt of any was recorded. */
  touched_at: Date | null;
}

interface Survey extends Dependents {
  /** Of all, and of the one that has the most. */
  attempts: number;
  most_attempts: number;
  is_clear: boolean;
}

interface Taken extends Dependents {
  /** How many of the first that were met are dealt with; none when the very first has more than a batch may remove. */
  chosen: number;
  last_id: string;
  last_time: string;
  /** Of the chosen those that leave. */
  ids: string | null;
  entries: number;
}

/** How far a batch came. */
interface Progress {
  /** Where the next one goes on; null: where this one began. */
  place: Place | null;
  /** How many origins fill the next one, as it seems. */
  room: number;
  isThrough: boolean;
}

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
  await runInBatches(run, async (tx, limit) => {
    await tx.query(PLANNER_SETTINGS);
    const wanted = Math.max(1, Math.min(limit, Math.floor(room)));
    const values = [until, place.time, place.id, wanted];
    const locked = await ask<Locked>(tx, `lock-${origin.table}`, lockSql(origin), values);
    if (locked.met === 0) return false;
    const batch = { tx, run, origin, locked, lookout, limit };
    const progress = (await removeTogether(batch)) ?? (await removeOneByOne(batch));
    // Only now: what was rolled back is met again.
    place = progress.place ?? place;
    room = progress.room;
    return !progress.isThrough || locked.met === wanted;
  });
}

interface OriginBatch {
  tx: Transaction;
  run: JobRun;
  origin: Origin;
  locked: Locked;
  lookout: AttemptLookout;
  limit: number;
}

/** Removes all that was locked, if all of it may leave and fits into a batch; null otherwise, and then nothing was done. */
async function removeTogether({ tx, run, origin, locked, lookout, limit }: OriginBatch): Promise<Progress | null> {
  const { met, ids } = locked;
  const survey = await ask<Survey>(tx, `survey-${origin.table}`, surveySql(origin), [ids]);
  if (!survey.is_clear || survey.deliveries > limit) return null;
  const window = await findWindow(tx, lookout, survey);
  const attempts = window === null ? 0 : survey.attempts;
  if (window !== null && (survey.most_attempts > limit || attempts > limit * ATTEMPT_SLICES)) return null;
  // The deliveries go by their foreign key.
  await removeLocked({ tx, run, origin, ids, dependents: survey, window, entries: 0, limit });
  const fullest = Math.max(survey.deliveries, attempts / ATTEMPT_SLICES, 1);
  return { place: placeAfter(locked), room: (met * FILL * limit) / fullest, isThrough: true };
}

async function findWindow(tx: Transaction, lookout: AttemptLookout, of: Dependents): Promise<AttemptWindow | null> {
  const [first_id, last_id] = [of.delivery_ids?.[0], of.delivery_ids?.at(-1)];
  if (first_id === undefined || last_id === undefined) return null;
  return lookout.findWindow(tx, { first_id, last_id, touched_at: of.touched_at });
}

/** Removes those of the first that may leave, as many as fit into a batch; of one that is too large a part. */
async function removeOneByOne({ tx, run, origin, locked, lookout, limit }: OriginBatch): Promise<Progress> {
  const taken = await ask<Taken>(tx, `take-of-${origin.table}`, takeSql(origin), [locked.ids, limit]);
  if (taken.chosen === 0) {
    const id = locked.ids.slice(1, -1).split(',', 1)[0] ?? '';
    return { place: await thinOut(tx, run, origin, id, limit), room: 1, isThrough: false };
  }
  const { ids, entries } = taken;
  if (ids !== null) {
    const window = await findWindow(tx, lookout, taken);
    await removeLocked({ tx, run, origin, ids, dependents: taken, window, entries, limit });
  }
  const isThrough = taken.chosen === locked.met;
  return { place: placeAfter(taken), room: isThrough ? limit : taken.chosen * FILL, isThrough };
}

interface Leaving {
  tx: Transaction;
  run: JobRun;
  origin: Origin;
  ids: string;
  dependents: Dependents;
  /** Of their attempts; null when there are none. */
  window: AttemptWindow | null;
  /** Rows of the outbox that have left already. */
  entries: number;
  limit: number;
}

/** Removes origins whose deliveries are locked or gone: with the attempts, and counts everything. */
async function removeLocked({ tx, run, origin, ids, dependents, window, entries, limit }: Leaving): Promise<void> {
  const { deliveries, delivery_ids, stored_attempts } = dependents;
  const rows: RowsByTable = { deliveries, outbox: entries };
  const name = `retention-delete-${origin.table}`;
  rows[origin.table] = (await tx.query({ name, text: deleteSql(origin), values: [ids] })).rowCount ?? 0;
  if (window !== null && delivery_ids !== null) {
    const deleted = { ids: delivery_ids, storedAttempts: stored_attempts ?? [], window };
    rows.delivery_attempts = await deleteAttempts(tx, deleted, limit);
  }
  await countDone(tx, run, { rows });
}

const placeAfter = ({ last_time: time, last_id: id }: Pick<Locked, 'last_time' | 'last_id'>): Place => ({ time, id });

async function ask<Row extends object>(tx: Transaction, name: string, text: string, values: unknown[]): Promise<Row> {
  const { rows } = await tx.query<Row>({ name: `retention-${name}`, text, values });
  if (rows[0] === undefined) throw new Error(`${name} gave no row`);
  return rows[0];
}
