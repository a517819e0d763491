import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { waitFor } from '@/tests/http/receiver';
import {
  addPartition,
  branchOf,
  countByPartition,
  dropAllPartitions,
  insertAttempts,
} from '@/tests/retention/partitions';
import { readCounters, readRun, startTestRun } from '@/tests/retention/test-run';
import { avoidMidnight } from '@/tests/time/midnight';
import { countDefaultRows, isDefaultLarge, listDays } from './list-partitions';
import { closeRange } from './make-partition';
import { createPartitionsAhead, makePartitions } from './make-partitions';
import { BRANCHES, type Branch, DAYS_AHEAD, daysAhead, nameOfDay, utcDayOf } from './partitions';

useDatabase();

const at = new Date('2026-02-27T23:59:59.999Z');
const days = DAYS_AHEAD + 1;
const all = BRANCHES.length * days;
const now = new Date('2028-03-15T02:00:00Z');
const ago = (days: number, ms = 0) => addMs(now, ms - days * DAY_MS);
const succeeded = branchOf('succeeded');
const namesAhead = (branch: Branch) => daysAhead(now).map(({ from }) => nameOfDay(branch, from));

beforeEach(async () => {
  await dropAllPartitions();
  await database().query('VACUUM delivery_attempts_default');
  await database().query('DELETE FROM metric_counters');
});

describe('partitions ahead of time', () => {
  it('cover today and the next eight UTC days of every branch, across the end of a month', async () => {
    expect(await createPartitionsAhead(at)).toBe(all);
    await insertAttempts(at);
    await insertAttempts(new Date(at.getTime() + 1), { succeeded: false });
    expect(await countByPartition('delivery_attempts')).toEqual({
      delivery_attempts_succeeded_p20260227: 1,
      delivery_attempts_failed_p20260228: 1,
    });
  });

  it('have the indexes and the trigger of their branch', async () => {
    await createPartitionsAhead(at);
    const { rows } = await database().query(
      `SELECT count(*) FILTER (WHERE i.indisprimary)::int AS keys,
         (SELECT count(*)::int FROM pg_trigger WHERE tgrelid = i.indrelid AND (tgtype & 1) = 1) AS triggers,
         (SELECT count(*)::int FROM pg_constraint WHERE conrelid = i.indrelid AND contype = 'c') AS checks
       FROM pg_index i JOIN pg_inherits h ON h.inhrelid = i.indexrelid
       WHERE i.indrelid = 'delivery_attempts_failed_p20260227'::regclass GROUP BY i.indrelid`,
    );
    expect(rows).toEqual([{ keys: 1, triggers: 1, checks: 0 }]);
  });

  it('fill only the part of a day that a partition created manually does not cover', async () => {
    const { from } = utcDayOf(at);
    await addPartition(succeeded, 'by_hand_p20260227', { from: addMs(from, 3_600_000), to: addMs(from, 7_200_000) });
    expect(await createPartitionsAhead(at)).toBe(all + 1);
    const made = (await listDays(succeeded)).slice(0, 3).map(({ table }) => table);
    expect(made).toEqual([
      'delivery_attempts_succeeded_p20260227_0000',
      'by_hand_p20260227',
      'delivery_attempts_succeeded_p20260227',
    ]);
  });
});

describe('a table with the name of a partition', () => {
  const name = 'delivery_attempts_failed_p20260228';

  it('that was detached is attached again with its rows', async () => {
    await createPartitionsAhead(at);
    await insertAttempts(addMs(at, 1), { succeeded: false });
    await database().query(`ALTER TABLE delivery_attempts DETACH PARTITION ${name}`);
    await insertAttempts(addMs(at, 2), { succeeded: false });
    expect(await createPartitionsAhead(at)).toBe(1);
    expect(await countByPartition('delivery_attempts')).toEqual({ [name]: 2 });
  });

  it('that cannot be attached is named in the error, and does not stop the others', async () => {
    await database().query(`CREATE TABLE ${name} (something_else int)`);
    await insertAttempts(addMs(at, -100 * DAY_MS), { succeeded: false });
    const run = await startTestRun({ now: at });
    await expect(makePartitions.clean(run)).rejects.toThrow(`${name} is there`);
    expect((await readRun(run)).rows_removed).toEqual({ delivery_attempts: 1 });
    await expect(createPartitionsAhead(at)).rejects.toThrow(
      `${name} is there without being a partition of delivery_attempts`,
    );
    const made = await Promise.all(BRANCHES.map(async (branch) => (await listDays(branch)).length));
    expect(made).toEqual([days, days - 1, days]);
  });
});

describe('the step that creates partitions', () => {
  it('creates nothing after the run is told to stop', async () => {
    await makePartitions.clean(await startTestRun({ now: at, signal: AbortSignal.abort() }));
    expect(await listDays(branchOf('failed'))).toEqual([]);
  });

  it('opens a period of the default partition that a killed process has left closed', async () => {
    const day = utcDayOf(new Date('2026-02-20T00:00:00Z'));
    await closeRange(succeeded, day, {});
    await expect(insertAttempts(day.from)).rejects.toThrow('violates check constraint');
    const { defaultTable } = succeeded;
    await database().query(`ALTER TABLE ${defaultTable} ADD CONSTRAINT "closed_on Sundays" CHECK (true)`);
    await makePartitions.clean(await startTestRun({ now: at }));
    await insertAttempts(day.from);
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_default: 1 });
    // A constraint that others created is not ours.
    await database().query(`ALTER TABLE ${defaultTable} DROP CONSTRAINT "closed_on Sundays"`);
  });
});

describe('emptying the default partitions', () => {
  it('deletes rows of expired days and moves the others into partitions of their days', async () => {
    await insertAttempts(ago(15), { count: 25 });
    await insertAttempts(ago(14), { count: 2 });
    await insertAttempts(ago(3), { count: 3 });
    await insertAttempts(ago(-400));
    await insertAttempts(ago(15), { succeeded: false, count: 4 });
    const run = await startTestRun({ now, policy: { batchSize: 10 } });
    expect(await makePartitions.preview(run)).toEqual({
      rows: { delivery_attempts: 25, tunnel_request_log: 0 },
      partitionsToCreate: [
        ...namesAhead(branchOf('succeeded')),
        'delivery_attempts_succeeded_p20280301',
        'delivery_attempts_succeeded_p20280312',
        'delivery_attempts_succeeded_p20290419',
        ...namesAhead(branchOf('failed')),
        'delivery_attempts_failed_p20280229',
        ...namesAhead(branchOf('tunnel_request_log')),
      ],
    });
    await makePartitions.clean(run);
    expect(await countByPartition('delivery_attempts')).toEqual({
      delivery_attempts_failed_p20280229: 4,
      delivery_attempts_succeeded_p20280301: 2,
      delivery_attempts_succeeded_p20280312: 3,
      delivery_attempts_succeeded_p20290419: 1,
    });
    expect(await readRun(run)).toMatchObject({ rows_removed: { delivery_attempts: 25 }, partitions_created: all + 4 });
  });

  it('moves rows of a partly covered day, and of a year long past', async () => {
    const { from, to } = utcDayOf(ago(3));
    await addPartition(succeeded, 'morning_p00000001', { from, to: addMs(from, DAY_MS / 2) });
    await insertAttempts(addMs(to, -1));
    await insertAttempts(new Date('1987-05-05T05:05:05Z'));
    await makePartitions.clean(await startTestRun({ now, policy: { succeededAttemptsDays: 36500 } }));
    expect(await countByPartition('delivery_attempts')).toEqual({
      delivery_attempts_succeeded_p19870505: 1,
      delivery_attempts_succeeded_p20280312: 1,
    });
  });

  it('moves rows of any past time, and keeps those of an infinite time without blocking the others', async () => {
    for (const at of ['-infinity', '0044-03-15 BC', '0001-01-01', 'infinity', '12000-01-01', '290000-01-01']) {
      await insertAttempts(now);
      await database().query(`UPDATE delivery_attempts_default SET created_at = $1 WHERE created_at = $2`, [at, now]);
    }
    await insertAttempts(ago(3), { count: 2 });
    const run = await startTestRun({ now });
    expect((await makePartitions.preview(run)).rows).toMatchObject({ delivery_attempts: 3 });
    await makePartitions.clean(run);
    expect(await countByPartition('delivery_attempts')).toEqual({
      delivery_attempts_default: 3,
      delivery_attempts_succeeded_p20280312: 2,
    });
    expect((await listDays(succeeded)).length).toBe(10);
  });

  it('does not change the count of a delivery', async () => {
    const endpoint = await insertEndpoint({ url: 'https://receiver.example' });
    const [eventId] = await insertEvents(endpoint.projectId, 1);
    const inserted = await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status) VALUES (gen_random_uuid(), $1, $2, $3, 'FAILED')
       RETURNING id`,
      [endpoint.projectId, eventId, endpoint.id],
    );
    await database().query(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
       SELECT gen_random_uuid(), $1, $2, n, $3, 5, false, $3 FROM generate_series(1, 3) n`,
      [endpoint.projectId, inserted.rows[0].id, ago(3)],
    );
    await makePartitions.clean(await startTestRun({ now }));
    expect(await countDefaultRows(branchOf('failed'))).toBe(0);
    const { rows } = await database().query('SELECT stored_attempts FROM deliveries WHERE id = $1', [
      inserted.rows[0].id,
    ]);
    expect(rows).toEqual([{ stored_attempts: 3 }]);
  });

  it('moves and counts each row once when two processes work at once', async () => {
    for (const days of [20, 3, 2, 1]) await insertAttempts(ago(days), { count: 50 });
    const runs = await Promise.all([startTestRun({ now }), startTestRun({ now })]);
    await Promise.all(runs.map((run) => makePartitions.clean(run)));
    expect(await countDefaultRows(succeeded)).toBe(0);
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(150);
    const counters = await readCounters();
    expect(counters.partition_created_total).toBe(all + 3);
    expect(counters['retention_rows_removed_total delivery_attempts']).toBe(50);
  });
});

/** Inserts at least 10 MB, so that attaching a partition without precautions would hold its lock for long. */
const fillDefault = (createdAt: Date) =>
  sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO delivery_attempts_default
       (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at, response_body)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, $1, 5, true, $1, repeat(md5(n::text), 50)
     FROM generate_series(1, 6000) n`,
    [createdAt],
  );

/** Inserts without pause on connections of their own until `work` is done, and reads how many rows there are. */
async function whileInserting(work: () => Promise<void>) {
  const seen: number[] = [];
  const state = { isDone: false, inserted: 0 };
  const connect = async () => {
    const client = new pg.Client({ connectionString: config().DATABASE_URL });
    await client.connect();
    return client;
  };
  const insert = async () => {
    const client = await connect();
    while (!state.isDone) {
      await client.query(
        `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded)
         VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, now(), 5, true)`,
      );
      state.inserted += 1;
    }
    await client.end();
  };
  const read = async () => {
    const client = await connect();
    while (!state.isDone) {
      const { rows } = await client.query(
        'SELECT count(*)::int AS count, count(DISTINCT id)::int AS ids FROM delivery_attempts',
      );
      expect(rows[0].ids).toBe(rows[0].count);
      seen.push(rows[0].count);
    }
    await client.end();
  };
  const others = Promise.all([insert(), insert(), insert(), read()]);
  try {
    await waitFor('the others to have begun', () => state.inserted > 2 && seen.length > 0);
    await work();
  } finally {
    state.isDone = true;
  }
  await others;
  return { inserted: state.inserted, seen };
}

describe('emptying a default partition that is in use', () => {
  it('loses no row, shows each reader every row once, and fails no write', async () => {
    await avoidMidnight(10_000);
    const present = new Date();
    for (const days of [0, 1, 2]) await insertAttempts(addMs(present, -days * DAY_MS), { count: 300 });
    const run = await startTestRun({ now: present });
    const { inserted, seen } = await whileInserting(() => makePartitions.clean(run));
    expect(inserted).toBeGreaterThan(0);
    expect(seen.every((count, place) => count >= (seen[place - 1] ?? 900))).toBe(true);
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(900 + inserted);
    expect(await countDefaultRows(succeeded)).toBe(0);
  });

  it('makes the days ahead, moves quiet days, and lets a run of the next day move the rest of a large one', {
    timeout: 30_000,
  }, async () => {
    await avoidMidnight(10_000);
    const present = addMs(utcDayOf(new Date()).from, DAY_MS / 2);
    await fillDefault(addMs(present, -3 * DAY_MS));
    await insertAttempts(present, { count: 7 });
    const { inserted, seen } = await whileInserting(async () =>
      makePartitions.clean(await startTestRun({ now: present })),
    );
    expect(seen.every((count, place) => count >= (seen[place - 1] ?? 6007))).toBe(true);
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(6007 + inserted);
    expect(await countDefaultRows(succeeded)).toBe(7 + inserted);
    const fromTomorrow = daysAhead(present).slice(1);
    expect((await listDays(succeeded)).slice(1).map(({ from }) => from)).toEqual(fromTomorrow.map(({ from }) => from));
    await makePartitions.clean(await startTestRun({ now: addMs(present, DAY_MS) }));
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(6007 + inserted);
    expect([await countDefaultRows(succeeded), await isDefaultLarge(succeeded)]).toEqual([0, false]);
    expect((await database().query(`SELECT FROM pg_constraint WHERE conname LIKE 'closed%'`)).rowCount).toBe(0);
  });
});
