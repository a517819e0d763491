import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { waitFor } from '@/tests/http/receiver';
import {
  addPartition,
  branchOf,
  countByPartition,
  dropAllPartitions,
  insertAttempts,
  insertTunnelRequest,
} from '@/tests/retention/partitions';
import { readCounters, readRun, startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { avoidMidnight } from '@/tests/time/midnight';
import { makePartitions } from './create-partitions';
import { emptyDefaultPartitions, emptyDefaults } from './default-rows';
import { deleteExpiredRows } from './delete-expired-rows';
import { countDefaultRows, isDefaultLarge, listDays } from './list-partitions';
import { utcDayOf } from './partitions';

useDatabase();

const now = new Date('2028-03-15T02:00:00Z');
const ago = (days: number, ms = 0) => addMs(now, ms - days * DAY_MS);
const succeeded = branchOf('succeeded');

beforeEach(async () => {
  await dropAllPartitions();
  await database().query('VACUUM partitions.delivery_attempts_succeeded_default');
  await database().query('DELETE FROM metric_counters');
});

/** Inserts at least 10 MB, so that attaching a partition without precautions would hold its lock for long. */
const fillDefault = (createdAt: Date) =>
  database().query(
    `INSERT INTO partitions.delivery_attempts_succeeded_default
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

describe('emptying the default partitions', () => {
  it('deletes rows of expired days and moves the others into partitions of their days', async () => {
    await insertAttempts(ago(15), { count: 25 });
    await insertAttempts(ago(14), { count: 2 });
    await insertAttempts(ago(3), { count: 3 });
    await insertAttempts(ago(-400));
    await insertAttempts(ago(15), { succeeded: false, count: 4 });
    const run = await startTestRun({ now, policy: { batchSize: 10 } });
    expect(await emptyDefaultPartitions.preview(run)).toEqual({
      rows: { delivery_attempts: 25, tunnel_request_log: 0 },
      partitionsToCreate: [
        'delivery_attempts_succeeded_p20280301',
        'delivery_attempts_succeeded_p20280312',
        'delivery_attempts_succeeded_p20290419',
        'delivery_attempts_failed_p20280229',
      ],
    });
    await emptyDefaultPartitions.clean(run);
    expect(await countByPartition('delivery_attempts')).toEqual({
      delivery_attempts_failed_p20280229: 4,
      delivery_attempts_succeeded_p20280301: 2,
      delivery_attempts_succeeded_p20280312: 3,
      delivery_attempts_succeeded_p20290419: 1,
    });
    expect(await readRun(run)).toMatchObject({ rows_removed: { delivery_attempts: 25 }, partitions_created: 4 });
  });

  it('moves rows of a partly covered day, and of a year long past', async () => {
    const { from, to } = utcDayOf(ago(3));
    await addPartition(succeeded, 'morning_p00000001', { from, to: addMs(from, DAY_MS / 2) });
    await insertAttempts(addMs(to, -1));
    await insertAttempts(new Date('1987-05-05T05:05:05Z'));
    await emptyDefaultPartitions.clean(await startTestRun({ now, policy: { succeededAttemptsDays: 36500 } }));
    expect(await countByPartition('delivery_attempts')).toEqual({
      delivery_attempts_succeeded_p19870505: 1,
      delivery_attempts_succeeded_p20280312: 1,
    });
  });

  it('moves rows of any past time, and keeps those of an infinite time without blocking the others', async () => {
    for (const at of ['-infinity', '0044-03-15 BC', '0001-01-01', 'infinity', '12000-01-01', '290000-01-01']) {
      await insertAttempts(now);
      await database().query(
        `UPDATE partitions.delivery_attempts_succeeded_default SET created_at = $1 WHERE created_at = $2`,
        [at, now],
      );
    }
    await insertAttempts(ago(3), { count: 2 });
    const run = await startTestRun({ now });
    expect((await emptyDefaultPartitions.preview(run)).rows).toMatchObject({ delivery_attempts: 3 });
    await makePartitions.clean(run);
    await emptyDefaultPartitions.clean(run);
    expect(await countByPartition('delivery_attempts')).toEqual({
      delivery_attempts_succeeded_default: 3,
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
    await emptyDefaultPartitions.clean(await startTestRun({ now }));
    expect(await countDefaultRows(branchOf('failed'))).toBe(0);
    const { rows } = await database().query('SELECT stored_attempts FROM deliveries WHERE id = $1', [
      inserted.rows[0].id,
    ]);
    expect(rows).toEqual([{ stored_attempts: 3 }]);
  });

  it('moves and counts each row once when two processes work at once', async () => {
    for (const days of [20, 3, 2, 1]) await insertAttempts(ago(days), { count: 50 });
    const runs = await Promise.all([startTestRun({ now }), startTestRun({ now })]);
    await Promise.all(runs.map((run) => emptyDefaultPartitions.clean(run)));
    expect(await countDefaultRows(succeeded)).toBe(0);
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(150);
    const counters = await readCounters();
    expect(counters.partition_created_total).toBe(3);
    expect(counters['retention_rows_removed_total delivery_attempts']).toBe(50);
  });

  it('does nothing while maintenance is off, or after it is told to stop', async () => {
    await insertAttempts(ago(3));
    const off = await startTestRun({ now, policy: { maintainsPartitions: false } });
    expect(await emptyDefaultPartitions.preview(off)).toEqual({ rows: {}, partitionsToCreate: [] });
    for (const run of [off, await startTestRun({ now, signal: AbortSignal.abort() })]) {
      await emptyDefaultPartitions.clean(run);
      expect(await countDefaultRows(succeeded)).toBe(1);
    }
  });
});

describe('emptying a default partition that is in use', () => {
  it('loses no row, shows each reader every row once, and fails no write', async () => {
    await avoidMidnight(10_000);
    const present = new Date();
    for (const days of [0, 1, 2]) await insertAttempts(addMs(present, -days * DAY_MS), { count: 300 });
    const run = await startTestRun({ now: present });
    const { inserted, seen } = await whileInserting(async () => {
      await emptyDefaultPartitions.clean(run);
      await makePartitions.clean(run);
    });
    expect(inserted).toBeGreaterThan(0);
    expect(seen.every((count, place) => count >= (seen[place - 1] ?? 900))).toBe(true);
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(900 + inserted);
    expect(await countDefaultRows(succeeded)).toBe(0);
  });

  it('gives new rows their own partition, moves quiet days, and lets a later run move the rest', {
    timeout: 30_000,
  }, async () => {
    // Avoids the last seconds of a day: no partition is created then for the rest of the day.
    await avoidMidnight(10_000);
    const present = new Date();
    await fillDefault(addMs(present, -3 * DAY_MS));
    await insertAttempts(present, { count: 7 });
    const run = await startTestRun({ now: present });
    await makePartitions.clean(run);
    expect(await listDays(succeeded)).toEqual([]);
    const { inserted, seen } = await whileInserting(() => emptyDefaults(run, 3_000));
    expect(seen.every((count, place) => count >= (seen[place - 1] ?? 6007))).toBe(true);
    await emptyDefaults(await startTestRun({ now: addMs(present, 3_600_000) }));
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(6007 + inserted);
    expect([await countDefaultRows(succeeded), await isDefaultLarge(succeeded)]).toEqual([0, false]);
    const today = (await listDays(succeeded)).filter(({ from }) => utcDayOf(from).from <= present).slice(-2);
    expect(today[0]?.to).toEqual(today[1]?.from);
    expect((await database().query(`SELECT FROM pg_constraint WHERE conname LIKE 'closed%'`)).rowCount).toBe(0);
  });
});

describe('expired rows of partitioned tables without partition maintenance', () => {
  const start = (options: TestRunOptions = {}) =>
    startTestRun({ now, ...options, policy: { maintainsPartitions: false, batchSize: 10, ...options.policy } });

  beforeEach(async () => {
    await dropAllPartitions();
    await database().query('DELETE FROM metric_counters');
  });

  it('are deleted to the instant, by the window of their branch, from default partitions too', async () => {
    const day = utcDayOf(ago(14));
    await addPartition(branchOf('succeeded'), 'by_hand_p00000001', day);
    await addPartition(branchOf('succeeded'), 'by_hand_p00000002', utcDayOf(ago(20)));
    await insertAttempts(ago(14), { count: 3 });
    await insertAttempts(ago(14, 1), { count: 2 });
    await insertAttempts(ago(20), { count: 4 });
    await insertAttempts(ago(15), { count: 25 });
    await insertAttempts(ago(3));
    await insertAttempts(ago(90), { succeeded: false, count: 5 });
    await insertAttempts(ago(90, 1), { succeeded: false });
    await insertTunnelRequest(ago(7));
    await insertTunnelRequest(ago(7, 1));
    const run = await start();
    const removed = { delivery_attempts: 37, tunnel_request_log: 1 };
    expect((await deleteExpiredRows.preview(run)).rows).toEqual(removed);
    await deleteExpiredRows.clean(run);
    expect(await countByPartition('delivery_attempts')).toEqual({
      by_hand_p00000001: 2,
      delivery_attempts_failed_default: 1,
      delivery_attempts_succeeded_default: 1,
    });
    expect(await countByPartition('tunnel_request_log')).toEqual({ tunnel_request_log_default: 1 });
    expect(await readRun(run)).toMatchObject({ rows_removed: removed, partitions_dropped: 0 });
    expect(await listDays(branchOf('succeeded'))).toHaveLength(2);
    expect((await deleteExpiredRows.preview(run)).rows).toEqual({ delivery_attempts: 0, tunnel_request_log: 0 });
  });

  it('are found between rows that stay, however few there are', async () => {
    for (let n = 0; n < 30; n += 1) await insertAttempts(ago(n % 3 === 0 ? 20 : 1), { count: 7 });
    const run = await start({ policy: { batchSize: 4 } });
    await deleteExpiredRows.clean(run);
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_succeeded_default: 140 });
    expect((await readRun(run)).rows_removed).toEqual({ delivery_attempts: 70 });
  });

  it('are counted once when two processes delete them at once', async () => {
    await insertAttempts(ago(20), { count: 500 });
    await insertAttempts(ago(2), { count: 5 });
    const runs = await Promise.all([start({ policy: { batchSize: 50 } }), start({ policy: { batchSize: 30 } })]);
    await Promise.all(runs.map((run) => deleteExpiredRows.clean(run)));
    const removed = await Promise.all(
      runs.map(async (run) => (await readRun(run)).rows_removed.delivery_attempts ?? 0),
    );
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(500);
    expect((await readCounters())['retention_rows_removed_total delivery_attempts']).toBe(500);
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_succeeded_default: 5 });
  });

  it('stay where partitions are maintained, because they are dropped with these', async () => {
    await insertAttempts(ago(20));
    const run = await start({ policy: { maintainsPartitions: true } });
    await deleteExpiredRows.clean(run);
    expect(await deleteExpiredRows.preview(run)).toEqual({ rows: {} });
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_succeeded_default: 1 });
  });
});
