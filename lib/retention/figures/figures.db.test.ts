import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { nodeUrlOf } from '@/lib/platform/cells/cell-nodes';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, storingDatabase } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { CLEANED_TABLES } from '@/lib/retention/jobs/job-run';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { fillProject } from '@/tests/fixtures/full-project';
import { PARTITION_NAME } from '@/tests/retention/partitions';
import { readCounters, startTestRun } from '@/tests/retention/test-run';
import { analyzeMissingStatistics, estimateRows, findOldestRows, recordTableRows } from './figures';

const { url } = useDatabase();

/** One session, so that its statistics can be sent at once. */
let session: pg.Client;
let superuser: pg.Client;

beforeAll(async () => {
  // Where the tables are stored, which Citus tells neither by their names nor through another machine.
  const { hostname, port } = new URL(nodeUrlOf(currentSearchPath()) ?? url);
  const at = (role: string) =>
    new pg.Client({
      connectionString: Object.assign(new URL(role), { hostname, port, pathname: new URL(url).pathname }).href,
      options: `-c search_path=${currentSearchPath()}`,
    });
  session = at(url);
  superuser = at(inject('postgres').adminUrl);
  await Promise.all([session.connect(), superuser.connect()]);
  // What autovacuum would do in the middle of a test, the tests do themselves.
  await database().query('ALTER TABLE events SET (autovacuum_enabled = false)');
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
    const { rows } = await storingDatabase().query(
      `SELECT relname, last_analyze FROM pg_stat_user_tables
       WHERE schemaname = current_schema() AND relname ~ '^(events|incoming_events)(_[0-9]{6})?$' AND last_analyze IS NOT NULL`,
    );
    expect(rows).toEqual([]);
  });

  it('are 0 for an empty table', async () => {
    await addEvents(0, 1000);
    await write('DELETE FROM events');
    await write('VACUUM ANALYZE events');
    await loseStatistics();
    expect(await estimated('events')).toBe(0);
  });
});

describe('the metrics job', () => {
  it('records the rows of every table and default partition in its run, and removes nothing', async () => {
    const client = await storingDatabase().connect();
    await client.query(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
       SELECT gen_random_uuid(), $1, $1, n, now(), 5, true, $2::timestamptz FROM generate_series(1, 200) n`,
      [newId(), addMs(new Date(), -900 * DAY_MS)],
    );
    await client.query('SELECT pg_stat_force_next_flush()');
    client.release();
    const run = await startTestRun({ job: 'metrics' });
    await recordTableRows.clean(run);
    const { rows } = await database().query<{ table_rows: Record<string, number> }>(
      'SELECT table_rows FROM retention_runs WHERE id = $1',
      [run.id],
    );
    const recorded = rows[0]?.table_rows ?? {};
    expect(Object.keys(recorded).sort()).toEqual([...CLEANED_TABLES, 'partitionDefaultRows'].sort());
    expect(recorded).toMatchObject({ delivery_attempts: 200, events: 0, partitionDefaultRows: 200 });
    expect(await readCounters()).toEqual({});
    expect(await recordTableRows.preview(run)).toEqual({});
  });
});

describe('the oldest rows', () => {
  const now = new Date('2026-03-10T12:00:00.000Z');
  const hour = (days: number, hours: number) => addMs(now, -days * DAY_MS + hours * 3_600_000);

  beforeEach(() =>
    database().query('TRUNCATE events, incoming_events, deliveries, delivery_attempts, outbox, tunnel_request_log'),
  );

  async function addAttempt(createdAt: Date, succeeded: boolean) {
    await database().query(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
     VALUES ($1, $1, $1, 1, $2, 5, $3, $2)`,
      [newId(), createdAt, succeeded],
    );
  }

  it('are null without rows', async () => {
    expect(await findOldestRows()).toEqual({
      events: null,
      incomingEvents: null,
      deadOutbox: null,
      succeededAttempts: null,
      failedAttempts: null,
      tunnelRequests: null,
    });
  });

  it('are found by created_at and not by id, in the outbox only dead ones, by dead_at', async () => {
    const projectId = await insertProject();
    await fillProject(projectId);
    const [first, second] = await insertEvents(projectId, 2);
    await database().query('UPDATE events SET created_at = $2 WHERE id = $1', [second, hour(9, 0)]);
    await database().query('UPDATE incoming_events SET created_at = $1', [hour(8, 0)]);
    await database().query('UPDATE outbox SET created_at = $1', [hour(7, 0)]);
    await database().query(`UPDATE outbox SET status = 'DEAD', dead_at = $2 WHERE event_id = $1`, [first, hour(6, 0)]);
    expect(await findOldestRows()).toMatchObject({
      events: hour(9, 0),
      incomingEvents: hour(8, 0),
      deadOutbox: hour(6, 0),
    });
  });

  it('are those of the oldest day with rows, for successful and failed attempts separately', async () => {
    await createPartitionsAhead(hour(5, 0));
    await createPartitionsAhead(now);
    await addAttempt(hour(4, 1), true);
    await addAttempt(hour(3, 1), true);
    await addAttempt(hour(3, 2), true);
    await addAttempt(hour(5, 0), false);
    await database().query('DELETE FROM delivery_attempts WHERE created_at = $1', [hour(4, 1)]);
    expect(await findOldestRows()).toMatchObject({ succeededAttempts: hour(3, 1), failedAttempts: hour(5, 0) });
  });

  it('are those of the first 1,000 rows of a day, which may have millions', async () => {
    await createPartitionsAhead(now);
    const add = (count: number, at: Date) =>
      database().query(
        `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, $2, 5, true, $2 FROM generate_series(1, $3)`,
        [newId(), at, count],
      );
    await add(1, hour(0, 2));
    await add(999, hour(0, 3));
    await add(1, hour(0, 1));
    expect(await findOldestRows()).toMatchObject({ succeededAttempts: hour(0, 2) });
  });

  it('may be in the default partition', async () => {
    await createPartitionsAhead(now);
    await addAttempt(hour(0, 1), true);
    await addAttempt(hour(300, 0), true);
    await addAttempt(hour(-300, 0), false);
    await addAttempt(hour(0, 2), false);
    expect(await findOldestRows()).toMatchObject({ succeededAttempts: hour(300, 0), failedAttempts: hour(0, 2) });
  });

  it('are found while partitions are dropped', async () => {
    for (let day = 16; day > 0; day -= 8) await createPartitionsAhead(hour(365 + day, 0));
    for (let day = 16; day > 0; day -= 1) await addAttempt(hour(365 + day, 0), true);
    const { rows } = await database().query<{ name: string }>(
      `SELECT DISTINCT ${PARTITION_NAME} AS name FROM delivery_attempts ORDER BY name`,
    );
    const found = [];
    for (const { name } of rows.slice(0, -1)) {
      const [, oldest] = await Promise.all([database().query(`DROP TABLE ${name}`), findOldestRows()]);
      found.push(oldest.succeededAttempts);
    }
    expect(rows.length).toBe(16);
    for (const oldest of found) expect(oldest?.getTime()).toBeLessThanOrEqual(hour(366, 0).getTime());
  });
});
