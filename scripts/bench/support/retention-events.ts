import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { cleanEvents } from '@/lib/retention/clean-events';
import { startTestRun } from '@/tests/retention';
import { measure } from './measured';
import type { RetentionData } from './retention-data';

const [BATCH_ROWS, KEPT_DAYS] = [1000, 90];

export interface EventRates {
  /** Events a second by a bare DELETE in batches, without pauses. */
  bare: number[];
  /** By `cleanEvents`, its pauses left out. */
  cleaned: number[];
  /** The same with its pauses. */
  paced: number[];
}

/**
 * Each round removes some days of events from the oldest on in either way, their deliveries with them. Their attempts have
 * left before, as they have when `main` comes to the events.
 */
export async function measureEvents(data: RetentionData, rounds: number, daysEach: number): Promise<EventRates> {
  const rates: EventRates = { bare: [], cleaned: [], paced: [] };
  let end = data.from;
  const nextEnd = () => {
    end = addMs(end, daysEach * DAY_MS);
    return end;
  };
  for (let round = 0; round < rounds; round++) {
    const bare = await countAndMeasure(nextEnd(), deleteBefore);
    rates.bare.push(bare.events / (bare.busyMs / 1000));
    const cleaned = await countAndMeasure(nextEnd(), cleanBefore);
    rates.cleaned.push(cleaned.events / (cleaned.busyMs / 1000));
    rates.paced.push(cleaned.events / (cleaned.totalMs / 1000));
  }
  return rates;
}

async function countAndMeasure(before: Date, remove: (before: Date) => Promise<void>) {
  const events = await countBefore(before);
  const cost = await measure(() => remove(before));
  if ((await countBefore(before)) > 0) throw new Error('some expired events are still there');
  return { events, ...cost };
}

/** The deliveries go by their foreign key. In the order of the index: the fastest way there is. */
async function deleteBefore(before: Date): Promise<void> {
  const text = `DELETE FROM events WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM events WHERE created_at < $1 ORDER BY created_at LIMIT ${BATCH_ROWS}))`;
  while (((await database().query(text, [before])).rowCount ?? 0) > 0);
}

async function cleanBefore(before: Date): Promise<void> {
  const now = addMs(before, KEPT_DAYS * DAY_MS - 1);
  await cleanEvents.clean(await startTestRun({ now, policy: { eventsDays: KEPT_DAYS } }));
}

async function countBefore(before: Date): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    'SELECT count(*)::int AS count FROM events WHERE created_at < $1',
    [before],
  );
  return rows[0]?.count ?? 0;
}
