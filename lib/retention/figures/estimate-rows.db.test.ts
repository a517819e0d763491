import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertProject } from '@/tests/fixtures/deliveries';
import { analyzeMissingStatistics, estimateRows } from './table-rows';

const { url } = useDatabase();

/** One session, so that its statistics can be sent at once. */
let session: pg.Client;
let superuser: pg.Client;

beforeAll(async () => {
  session = new pg.Client({ connectionString: url });
  superuser = new pg.Client({
    connectionString: Object.assign(new URL(inject('postgres').adminUrl), { pathname: new URL(url).pathname }).href,
  });
  await Promise.all([session.connect(), superuser.connect()]);
  // What autovacuum would do in the middle of a test, the tests do themselves.
  await superuser.query('ALTER TABLE events SET (autovacuum_enabled = false)');
});

afterAll(() => Promise.all([session.end(), superuser.end()]));

let projectId: string;

beforeEach(async () => {
  projectId ??= await insertProject();
  await write('TRUNCATE events, deliveries, delivery_attempts');
  await loseStatistics();
});

/** What a crash of PostgreSQL does to them. */
const loseStatistics = () => superuser.query('SELECT pg_stat_reset()');

async function write(sql: string): Promise<void> {
  await session.query(sql);
  await session.query('SELECT pg_stat_force_next_flush()');
}

/** Rows of different sizes, as payloads are. */
const addEvents = (from: number, to: number) =>
  write(`INSERT INTO events (id, project_id, type, payload)
    SELECT gen_random_uuid(), '${projectId}', 'a', repeat('x', n % 500)
    FROM generate_series(${from + 1}, ${to}) n`);

/** Of two days, and of a day that has no partition. */
const addAttempts = (count: number) =>
  write(`INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, now(), 5, n % 2 = 0,
      CASE WHEN n % 3 = 0 THEN now() - interval '400 days' ELSE now() + (n % 2) * interval '1 day' END
    FROM generate_series(1, ${count}) n`);

async function estimated(table: 'events' | 'delivery_attempts'): Promise<number> {
  const [estimate] = await estimateRows([table]);
  return estimate?.rows ?? Number.NaN;
}

async function expectWithin5Percent(table: 'events' | 'delivery_attempts', rows: number): Promise<void> {
  const { rows: counted } = await database().query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
  expect(counted[0]?.n).toBe(rows);
  const off = (await estimated(table)) - rows;
  expect(Math.abs(off), `${off} off of ${rows}`).toBeLessThanOrEqual(rows * 0.05);
}

describe('the estimated rows of a table', () => {
  it('count rows once when ANALYZE sees them before their session reports them', async () => {
    await addEvents(0, 100);
    await session.query(`INSERT INTO events (id, project_id, type, payload)
      SELECT gen_random_uuid(), '${projectId}', 'a', repeat('x', n % 500) FROM generate_series(1, 25000) n`);
    await superuser.query('ANALYZE events');
    await superuser.query('SELECT pg_stat_force_next_flush()');
    await write('SELECT 1');
    await expectWithin5Percent('events', 25_100);
    await addEvents(25_100, 60_000);
    await expectWithin5Percent('events', 60_000);
  });

  it('are 0, and not -1, for a table that was never filled, never analyzed, or emptied', async () => {
    expect(await estimateRows(['events', 'delivery_attempts'])).toMatchObject([
      { table: 'events', rows: 0 },
      { table: 'delivery_attempts', rows: 0 },
    ]);
    await write('ANALYZE events, delivery_attempts');
    expect([await estimated('events'), await estimated('delivery_attempts')]).toEqual([0, 0]);
    await addEvents(0, 1000);
    await write('DELETE FROM events');
    expect(await estimated('events')).toBe(0);
    await write('VACUUM events');
    expect(await estimated('events')).toBe(0);
  });

  it('are correct for rows that were never analyzed', async () => {
    await addEvents(0, 4000);
    await expectWithin5Percent('events', 4000);
  });

  it('are correct after a large DELETE, before and after VACUUM', async () => {
    await addEvents(0, 5000);
    await write('ANALYZE events');
    await write('DELETE FROM events WHERE length(payload) >= 100');
    await expectWithin5Percent('events', 1000);
    await write('VACUUM events');
    await expectWithin5Percent('events', 1000);
    await addEvents(0, 3000);
    await expectWithin5Percent('events', 4000);
  });

  it('do not change by a DELETE that is rolled back', async () => {
    await addEvents(0, 1000);
    await write('BEGIN; DELETE FROM events; ROLLBACK');
    await expectWithin5Percent('events', 1000);
  });

  it('include all partitions of the table and the default', async () => {
    await addAttempts(3000);
    await expectWithin5Percent('delivery_attempts', 3000);
    await write('DELETE FROM delivery_attempts WHERE succeeded');
    await expectWithin5Percent('delivery_attempts', 1500);
    await write('VACUUM ANALYZE delivery_attempts');
    await expectWithin5Percent('delivery_attempts', 1500);
  });
});

describe('the estimated rows after a crash has lost the statistics', () => {
  it("are the planner's number for a full table", async () => {
    await addEvents(0, 5000);
    await addAttempts(3000);
    await write('ANALYZE events, delivery_attempts');
    await loseStatistics();
    await expectWithin5Percent('events', 5000);
    await expectWithin5Percent('delivery_attempts', 3000);
  });

  it('follow rows added since the last ANALYZE, before and after the loss', async () => {
    await addEvents(0, 4000);
    await write('ANALYZE events');
    await addEvents(4000, 6000);
    await loseStatistics();
    await expectWithin5Percent('events', 6000);
    await addEvents(6000, 9000);
    await expectWithin5Percent('events', 9000);
  });

  it('follow rows deleted since', async () => {
    await addEvents(0, 5000);
    await write('ANALYZE events');
    await loseStatistics();
    await write('DELETE FROM events WHERE length(payload) >= 100');
    await expectWithin5Percent('events', 1000);
    await write('VACUUM events');
    await expectWithin5Percent('events', 1000);
  });

  it('are 0 for a table that was never analyzed, until analyzeMissingStatistics runs', async () => {
    await addEvents(0, 5000);
    await addAttempts(3000);
    await loseStatistics();
    expect([await estimated('events'), await estimated('delivery_attempts')]).toEqual([0, 0]);
    await addEvents(5000, 5020);
    await analyzeMissingStatistics(['events', 'delivery_attempts']);
    await expectWithin5Percent('events', 5020);
    await expectWithin5Percent('delivery_attempts', 3000);
  });

  it('do not change by analyzeMissingStatistics for a table with statistics', async () => {
    await addEvents(0, 5000);
    await analyzeMissingStatistics(['events', 'incoming_events']);
    const { rows } = await database().query<{ last_analyze: Date | null }>(
      `SELECT last_analyze FROM pg_stat_user_tables WHERE relname IN ('events', 'incoming_events')`,
    );
    expect(rows).toEqual([{ last_analyze: null }, { last_analyze: null }]);
  });

  it('are 0 for an empty table', async () => {
    await addEvents(0, 1000);
    await write('DELETE FROM events');
    await write('VACUUM ANALYZE events');
    await loseStatistics();
    expect(await estimated('events')).toBe(0);
  });
});
