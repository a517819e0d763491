import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import { cleanEvents } from '@/lib/retention/cleanup/clean-events';
import { startTestRun } from '@/tests/retention/test-run';
import { type Cost, measure } from './cost';
import type { RetentionData } from './retention-data';

const [BATCH_ROWS, KEPT_DAYS] = [1000, 90];

/** The throughput of one way of removing events, per second and round, without pauses. */
interface Rates {
  events: number[];
  /** Of all tables together. */
  rows: number[];
}

/** The throughput of each way, by round. */
export interface EventRates {
  /** By a plain DELETE in batches, which leaves the attempts. */
  bare: Rates;
  /** By `cleanEvents`. */
  cleaned: Rates;
  /** Events per second of `cleanEvents`, with its pauses. */
  paced: number[];
}

const PLAIN_EVENTS = 40_000;

/** Adds days of events without deliveries, from `firstDay` on: they show the cost of removing the event alone. */
export async function fillPlainEvents({ projectId }: RetentionData, firstDay: Date, days: number): Promise<void> {
  await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO events (id, project_id, type, payload, created_at)
     SELECT uuidv7(at - clock_timestamp()), $1, 'order.paid', $5, at
     FROM (SELECT $2::timestamptz + n * (interval '1 day' / $3::int) AS at FROM generate_series(0, $3::int * $4::int - 1) n) e`,
    [projectId, firstDay, PLAIN_EVENTS, days, JSON.stringify({ note: 'x'.repeat(280) })],
  );
  await sqlWithTimeout(LONG_STATEMENT_MS).query('VACUUM ANALYZE events');
}

/** Each round removes days of events with their deliveries and attempts, one in each way, from `firstDay` on. */
export async function measureEvents(firstDay: Date, rounds: number): Promise<EventRates> {
  const rates: EventRates = { bare: { events: [], rows: [] }, cleaned: { events: [], rows: [] }, paced: [] };
  let end = firstDay;
  const nextEnd = () => {
    end = addMs(end, DAY_MS);
    return end;
  };
  const add = ({ events, rows }: Rates, removed: Removed) => {
    events.push(removed.events / (removed.busyMs / 1000));
    rows.push(removed.rows / (removed.busyMs / 1000));
  };
  for (let round = 0; round < rounds; round++) {
    add(rates.bare, await countAndMeasure(nextEnd(), deleteBefore));
    const cleaned = await countAndMeasure(nextEnd(), cleanBefore);
    add(rates.cleaned, cleaned);
    rates.paced.push(cleaned.events / (cleaned.totalMs / 1000));
  }
  return rates;
}

interface Removed extends Cost {
  events: number;
  rows: number;
}

async function countAndMeasure(before: Date, remove: (before: Date) => Promise<void>): Promise<Removed> {
  const [events, rowsBefore] = [await countBefore(before), await countRows(before)];
  const cost = await measure(() => remove(before));
  if ((await countBefore(before)) > 0) throw new Error('some expired events remain');
  return { events, rows: rowsBefore - (await countRows(before)), ...cost };
}

/** The foreign key deletes the deliveries. The order of the index is the fastest. */
async function deleteBefore(before: Date): Promise<void> {
  const text = `DELETE FROM events WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM events WHERE created_at < $1 ORDER BY created_at LIMIT ${BATCH_ROWS}))`;
  while (((await sqlWithTimeout(LONG_STATEMENT_MS).query(text, [before])).rowCount ?? 0) > 0);
}

async function cleanBefore(before: Date): Promise<void> {
  const now = addMs(before, KEPT_DAYS * DAY_MS - 1);
  await cleanEvents.clean(await startTestRun({ now, policy: { eventsDays: KEPT_DAYS } }));
}

async function countBefore(before: Date): Promise<number> {
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ count: number }>(
    'SELECT count(*)::int AS count FROM events WHERE created_at < $1',
    [before],
  );
  return rows[0]?.count ?? 0;
}

/** Counts the rows of all three tables that belong to events before `before`, including later attempts. */
async function countRows(before: Date): Promise<number> {
  const until = addMs(before, 4 * DAY_MS);
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ rows: number }>(
    `SELECT ((SELECT count(*) FROM events WHERE created_at < $1) + (SELECT count(*) FROM deliveries WHERE created_at < $1)
       + (SELECT count(*) FROM delivery_attempts WHERE created_at < $2))::int AS rows`,
    [before, until],
  );
  return rows[0]?.rows ?? 0;
}
