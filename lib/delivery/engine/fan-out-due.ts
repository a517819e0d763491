import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';
import { releaseLeases } from './claim-due';
import type { Dispatcher } from './dispatcher';
import { type FannedOut, fanOutBatch, fanOutEntry } from './fan-out';
import { BATCH_ENTRIES } from './fan-out-sql';
import { putOff } from './outbox-failures';
import { loadTargets } from './targets';

/** How long to wait for room, at most: what finds none by then is left in the database, due, for any worker. */
const ROOM_WAIT_MS = 100;

const DUE_IDS_SQL = `
  SELECT id FROM outbox WHERE status = 'PENDING' AND kind <> 'MAIL' AND available_at <= now()
  ORDER BY available_at, id LIMIT $1`;

/**
 * Fans out one batch of the outbox. A batch that fails is done row by row, and the rows that fail alone are put off.
 * @returns whether there may be more
 */
export async function fanOutDue(dispatcher: Dispatcher): Promise<boolean> {
  await dispatcher.room(ROOM_WAIT_MS);
  try {
    const done = await fanOutBatch(database(), dispatcher.roomByTarget());
    await takeOn(dispatcher, done);
    return done.entries === BATCH_ENTRIES;
  } catch (error) {
    // When it was the database itself, this fails too, and the loop waits.
    const { rows } = await database().query<{ id: string }>(DUE_IDS_SQL, [BATCH_ENTRIES]);
    log().warn({ err: error, rows: rows.length }, 'a batch could not be fanned out; row by row now');
    for (const { id } of rows) await fanOutAlone(dispatcher, id);
    return rows.length > 0;
  }
}

async function fanOutAlone(dispatcher: Dispatcher, outboxId: string): Promise<void> {
  let done: FannedOut;
  try {
    done = await fanOutEntry(database(), outboxId, dispatcher.roomByTarget());
  } catch (error) {
    await putOff(database(), outboxId, 'event', error);
    return;
  }
  await takeOn(dispatcher, done);
}

async function takeOn(dispatcher: Dispatcher, { entries, handedOver, overflowed }: FannedOut): Promise<void> {
  countMetric('outbox_fanned_out_total', '', entries);
  for (const targetId of overflowed) dispatcher.noteBacklog(targetId, true);
  const targets = await loadTargets(database(), [...new Set(handedOver.map(({ targetId }) => targetId))]);
  const refused = handedOver.filter(({ targetId, job }) => {
    const found = targets.get(targetId);
    return found === undefined || !('target' in found) || !dispatcher.add(found.target, job);
  });
  dispatcher.pump();
  await releaseLeases(
    database(),
    refused.map(({ job }) => job),
  );
}
