import { countDone, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { deleteAttempts } from './delete-attempts';
import { IdList } from './id-list';
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
import { deleteSql, takeSql } from './origin-sql';
import { thinOut } from './thin-out';

interface Taken extends GoneDeliveries {
  /** How many of the first that were met are dealt with; none when the very first has more than a batch may remove. */
  chosen: number;
  last_id: string;
  last_time: string;
  /** Of the chosen those that leave. */
  ids: string | null;
  entries: number;
}

/** Removes those of the first that may leave, as many as fit into a batch; of one that is too large a part. */
export async function removeOneByOne(batch: OriginBatch, locked: Locked): Promise<Progress> {
  const { tx, origin, limit } = batch;
  const taken = await ask<Taken>(tx, `take-of-${origin.table}`, takeSql(origin), [locked.ids, limit]);
  if (taken.chosen === 0) {
    return thinOut(batch, new IdList(locked.ids).at(0) ?? '', null);
  }
  if (taken.ids !== null) await removeOrigins(batch, taken.ids, taken);
  const isThrough = taken.chosen === locked.met;
  return { place: placeAfter(taken), room: isThrough ? limit : taken.chosen * FILL, isThrough, thinning: null };
}

/** Removes origins whose deliveries and entries of the outbox are gone, with the attempts, and counts everything. */
async function removeOrigins(batch: OriginBatch, ids: string, taken: Taken): Promise<void> {
  const { tx, run, origin, limit } = batch;
  const window = await findWindow(batch, taken);
  const rows: RowsByTable = { deliveries: taken.deliveries, outbox: taken.entries };
  const name = `retention-delete-${origin.table}`;
  rows[origin.table] = (await tx.query({ name, text: deleteSql(origin), values: [ids] })).rowCount ?? 0;
  if (window !== null) rows.delivery_attempts = await deleteAttempts(tx, toDeleted(taken, window), limit);
  await countDone(tx, run, { rows });
}
