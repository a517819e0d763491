import { LOCK_NOT_AVAILABLE, sqlState } from '@/lib/platform/db';
import { countDone, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { BatchTooLarge } from './batches';
import { deleteAttempts } from './delete-attempts';
import {
  ask,
  FILL,
  findWindow,
  type GoneDeliveries,
  type Locked,
  type OriginBatch,
  type Progress,
  placeAfter,
  toDeleted,
} from './origin-batch';
import { removeSql } from './origin-sql';

/**
 * Attempts of one batch, as multiples of its size. They leave in as many statements: were they to make the batches smaller,
 * a delivery of ten attempts would cost as much as ten, most of which have left by their age though nobody has counted it.
 */
const ATTEMPT_SLICES = 10;

interface Removed extends GoneDeliveries {
  /** Whether all that was locked, and all that hangs on it, is gone. */
  is_whole: boolean;
  origins: number;
  /** Attempts of all deliveries, and of the one that has the most. */
  attempts: number;
  most_attempts: number;
}

/**
 * Removes all that was locked in one go, if nobody works on any of it and it fits into a batch, as is the rule.
 *
 * @returns null when not all of it may leave; then the transaction is to be rolled back to where nothing was removed
 */
export async function removeTogether(batch: OriginBatch, locked: Locked): Promise<Progress | null> {
  try {
    return await tryAll(batch, locked);
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE || error instanceof BatchTooLarge) return null;
    throw error;
  }
}

async function tryAll(batch: OriginBatch, locked: Locked): Promise<Progress | null> {
  const { tx, run, origin, limit } = batch;
  const removed = await ask<Removed>(tx, `remove-${origin.table}`, removeSql(origin), [locked.ids, limit]);
  if (!removed.is_whole) return null;
  const window = await findWindow(batch, removed);
  const attempts = window === null ? 0 : removed.attempts;
  if (window !== null && (removed.most_attempts > limit || attempts > limit * ATTEMPT_SLICES)) return null;
  const rows: RowsByTable = { deliveries: removed.deliveries };
  rows[origin.table] = removed.origins;
  if (window !== null) rows.delivery_attempts = await deleteAttempts(tx, toDeleted(removed, window), limit, true);
  await countDone(tx, run, { rows });
  const fullest = Math.max(removed.deliveries, attempts / ATTEMPT_SLICES, 1);
  return { place: placeAfter(locked), room: (locked.met * FILL * limit) / fullest, isThrough: true, thinning: null };
}
