import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';
import { releaseLeases } from './claim-due';
import type { Dispatcher } from './dispatcher';
import { type FannedOut, FanOutError, fanOutBatch, fanOutEntry } from './fan-out';
import { putOff } from './outbox-failures';

const BATCH_ENTRIES = 200;
/** How long to wait for room, at most: what finds none by then is left in the database, due, for any worker. */
const ROOM_WAIT_MS = 100;

/**
 * Fans out one batch of the outbox. A batch that fails is done row by row, and the rows that fail alone are put off.
 * @returns whether there may be more
 */
export async function fanOutDue(dispatcher: Dispatcher): Promise<boolean> {
  await dispatcher.room(ROOM_WAIT_MS);
  const roomFor = dispatcher.roomFor.bind(dispatcher);
  try {
    const done = await fanOutBatch(BATCH_ENTRIES, roomFor);
    await takeOn(dispatcher, done);
    return done.entries === BATCH_ENTRIES;
  } catch (error) {
    if (!(error instanceof FanOutError)) throw error;
    log().warn({ err: error.cause, rows: error.outboxIds.length }, 'a batch could not be fanned out; row by row now');
    for (const id of error.outboxIds) await fanOutAlone(dispatcher, id);
    return true;
  }
}

async function fanOutAlone(dispatcher: Dispatcher, outboxId: string): Promise<void> {
  try {
    await takeOn(dispatcher, await fanOutEntry(outboxId, dispatcher.roomFor.bind(dispatcher)));
  } catch (error) {
    if (!(error instanceof FanOutError)) throw error;
    await putOff(database(), outboxId, 'event', error.cause);
  }
}

async function takeOn(dispatcher: Dispatcher, { entries, handedOver, overflowed }: FannedOut): Promise<void> {
  countMetric('outbox_fanned_out_total', '', entries);
  for (const targetId of overflowed) dispatcher.noteBacklog(targetId, true);
  const refused = handedOver.filter(({ target, job }) => !dispatcher.add(target, job));
  dispatcher.pump();
  await releaseLeases(
    database(),
    refused.map(({ job }) => job),
  );
}
