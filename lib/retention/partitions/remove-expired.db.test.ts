import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import {
  addPartition,
  branchOf,
  countByPartition,
  dropAllPartitions,
  insertAttempts,
  insertTunnelRequest,
} from '@/tests/retention/partitions';
import { readCounters, readRun, startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { listDays } from './list-partitions';
import { BRANCHES, type Branch, nameOfDay, utcDayOf } from './partitions';
import { deleteExpiredRows, dropExpired, dropExpiredPartitions } from './remove-expired';

useDatabase();

const now = new Date('2028-03-15T02:00:00Z');
const ago = (days: number, ms = 0) => addMs(now, ms - days * DAY_MS);
const succeeded = branchOf('succeeded');

beforeEach(async () => {
  await dropAllPartitions();
  await database().query('DELETE FROM metric_counters');
});

describe('dropping partitions', () => {
  const daysAgo = (days: number) => utcDayOf(addMs(now, -days * DAY_MS));
  const failed = branchOf('failed');
  const tunnel = branchOf('tunnel_request_log');

  async function addDays(branch: Branch, ...ages: number[]): Promise<void> {
    for (const age of ages) await addPartition(branch, nameOfDay(branch, daysAgo(age).from), daysAgo(age));
  }

  async function agesOf(branch: Branch): Promise<number[]> {
    const today = daysAgo(0).from.getTime();
    return (await listDays(branch)).map(({ from }) => Math.round((today - from.getTime()) / DAY_MS));
  }

  /** Runs `work` while another session has an open transaction that ran `sql`. */
  async function inOtherTransaction(sql: string, work: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: config().DATABASE_URL });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(sql);
      await work();
    } finally {
      await client.end();
    }
  }

  it('drops days that have entirely expired, by the window of their branch, and counts their rows', async () => {
    await addDays(succeeded, 16, 15, 14, 0, -1);
    await addDays(failed, 92, 91, 90, 15);
    await addDays(tunnel, 9, 8, 7, 0);
    await insertAttempts(daysAgo(15).from, { count: 3 });
    await insertAttempts(daysAgo(14).from, { count: 2 });
    await insertAttempts(addMs(daysAgo(91).to, -1), { count: 4, succeeded: false });
    await database().query('ANALYZE delivery_attempts');
    const run = await startTestRun({ now });
    const expected = { delivery_attempts: 7, tunnel_request_log: 0 };
    expect(await dropExpiredPartitions.preview(run)).toEqual({
      rows: expected,
      partitionsToDrop: [
        'delivery_attempts_succeeded_p20280228',
        'delivery_attempts_succeeded_p20280229',
        'delivery_attempts_failed_p20271214',
        'delivery_attempts_failed_p20271215',
        'tunnel_request_log_p20280306',
        'tunnel_request_log_p20280307',
      ],
    });
    await dropExpiredPartitions.clean(run);
    expect([await agesOf(succeeded), await agesOf(failed), await agesOf(tunnel)]).toEqual([
      [14, 0, -1],
      [90, 15],
      [7, 0],
    ]);
    expect(await readRun(run)).toMatchObject({ rows_removed: { delivery_attempts: 7 }, partitions_dropped: 6 });
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(2);
  });

  it('follows a window that is shortened or lengthened', async () => {
    await addDays(succeeded, 20, 10, 5);
    const drop = async (days: number) => {
      await dropExpiredPartitions.clean(await startTestRun({ now, policy: { succeededAttemptsDays: days } }));
      return agesOf(succeeded);
    };
    expect(await drop(30)).toEqual([20, 10, 5]);
    expect(await drop(14)).toEqual([10, 5]);
    expect(await drop(6)).toEqual([5]);
  });

  it('counts each partition once when two processes drop at once', async () => {
    await addDays(succeeded, 20, 19, 18, 17);
    await addDays(tunnel, 20, 19);
    const runs = await Promise.all([startTestRun({ now }), startTestRun({ now })]);
    await Promise.all(runs.map((run) => dropExpiredPartitions.clean(run)));
    const dropped = await Promise.all(runs.map(async (run) => (await readRun(run)).partitions_dropped));
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect((await readCounters()).partition_dropped_total).toBe(6);
    expect(await agesOf(succeeded)).toEqual([]);
  });

  it('skips a partition that stays locked, reports it, and drops the others', async () => {
    await addDays(succeeded, 20, 19, 18);
    const run = await startTestRun({ now });
    await inOtherTransaction('LOCK TABLE delivery_attempts_succeeded_p20280225 IN ACCESS SHARE MODE', () =>
      expect(dropExpired(run, { maxTries: 2 })).rejects.toThrow(
        /^cell_..\.delivery_attempts_succeeded_p20280225: could not get its lock in time$/,
      ),
    );
    expect([await agesOf(succeeded), (await readRun(run)).partitions_dropped]).toEqual([[19], 2]);
    await dropExpiredPartitions.clean(run);
    expect([await agesOf(succeeded), (await readRun(run)).partitions_dropped]).toEqual([[], 3]);
  });

  it('waits for a reader of the table while others write', async () => {
    await addDays(succeeded, 20, 0);
    const run = await startTestRun({ now });
    let dropping = Promise.resolve();
    await inOtherTransaction('SELECT FROM delivery_attempts', async () => {
      dropping = dropExpiredPartitions.clean(run);
      for (let n = 0; n < 20; n += 1) await insertAttempts(now);
      expect(await agesOf(succeeded)).toEqual([20, 0]);
    });
    await dropping;
    expect(await agesOf(succeeded)).toEqual([0]);
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(20);
  });

  it('stops before the next partition when the run is told to stop', async () => {
    await addDays(succeeded, 20);
    await dropExpiredPartitions.clean(await startTestRun({ now, signal: AbortSignal.abort() }));
    expect(await agesOf(succeeded)).toEqual([20]);
  });

  it('decides by bounds and not by names: drops a wider partition with its last day, keeps detached ones and the default', async () => {
    await addPartition(succeeded, 'delivery_attempts_succeeded_p20270101', daysAgo(1));
    await addPartition(succeeded, 'made_by_hand_p00000000', daysAgo(30));
    await addPartition(succeeded, 'a_week_p00000000', { from: daysAgo(60).from, to: daysAgo(53).from });
    await addPartition(succeeded, 'half_expired_p00000000', { from: daysAgo(19).from, to: daysAgo(12).from });
    await addDays(succeeded, 40);
    await database().query(`ALTER TABLE ${succeeded.table} DETACH PARTITION ${nameOfDay(succeeded, daysAgo(40).from)}`);
    await dropExpiredPartitions.clean(await startTestRun({ now }));
    expect(await agesOf(succeeded)).toEqual([19, 1]);
    const { rowCount } = await database().query(`SELECT FROM ${nameOfDay(succeeded, daysAgo(40).from)}`);
    expect(rowCount).toBe(0);
    for (const { defaultTable } of BRANCHES) await database().query(`SELECT FROM ${defaultTable}`);
  });
});

describe('expired rows of partitioned tables without partition maintenance', () => {
  const start = (options: TestRunOptions = {}) =>
    startTestRun({ now, ...options, policy: { batchSize: 10, ...options.policy } });

  it('are deleted to the instant, by the window of their branch, from default partitions too', async () => {
    const day = utcDayOf(ago(14));
    await addPartition(succeeded, 'by_hand_p00000001', day);
    await addPartition(succeeded, 'by_hand_p00000002', utcDayOf(ago(20)));
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
      delivery_attempts_default: 2,
    });
    expect(await countByPartition('tunnel_request_log')).toEqual({ tunnel_request_log_default: 1 });
    expect(await readRun(run)).toMatchObject({ rows_removed: removed, partitions_dropped: 0 });
    expect(await listDays(succeeded)).toHaveLength(2);
    expect((await deleteExpiredRows.preview(run)).rows).toEqual({ delivery_attempts: 0, tunnel_request_log: 0 });
  });

  it('are found between rows that stay, however few there are', async () => {
    for (let n = 0; n < 30; n += 1) await insertAttempts(ago(n % 3 === 0 ? 20 : 1), { count: 7 });
    const run = await start({ policy: { batchSize: 4 } });
    await deleteExpiredRows.clean(run);
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_default: 140 });
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
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_default: 5 });
  });
});
