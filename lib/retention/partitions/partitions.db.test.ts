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
} from '@/tests/retention/partitions';
import { readCounters, readRun, startTestRun } from '@/tests/retention/test-run';
import { createPartitionsAhead, makePartitions } from './create-partitions';
import { dropExpired, dropExpiredPartitions } from './drop-partitions';
import { closeRange, listDays } from './list-partitions';
import { BRANCHES, type Branch, DAYS_AHEAD, nameOfDay, utcDayOf } from './partitions';

useDatabase();

const at = new Date('2026-02-27T23:59:59.999Z');
const days = DAYS_AHEAD + 1;
const all = BRANCHES.length * days;

beforeEach(dropAllPartitions);

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

  it('get the rows of the default partition without losing one', async () => {
    await insertAttempts(at, { count: 3 });
    await insertAttempts(addMs(at, DAY_MS), { count: 2 });
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_succeeded_default: 5 });
    await createPartitionsAhead(at);
    expect(await countByPartition('delivery_attempts')).toEqual({
      delivery_attempts_succeeded_p20260227: 3,
      delivery_attempts_succeeded_p20260228: 2,
    });
  });

  it('leave rows of other days in the default partition', async () => {
    await insertAttempts(new Date(at.getTime() - 3 * DAY_MS));
    await createPartitionsAhead(at);
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_succeeded_default: 1 });
  });

  it('have the indexes and the trigger of their branch', async () => {
    await createPartitionsAhead(at);
    const { rows } = await database().query(
      `SELECT count(*) FILTER (WHERE i.indisprimary)::int AS keys,
         (SELECT count(*)::int FROM pg_trigger WHERE tgrelid = i.indrelid) AS triggers,
         (SELECT count(*)::int FROM pg_constraint WHERE conrelid = i.indrelid AND contype = 'c') AS checks
       FROM pg_index i JOIN pg_inherits h ON h.inhrelid = i.indexrelid
       WHERE i.indrelid = 'partitions.delivery_attempts_failed_p20260227'::regclass GROUP BY i.indrelid`,
    );
    expect(rows).toEqual([{ keys: 1, triggers: 1, checks: 0 }]);
  });

  it('fill only the part of a day that a partition created manually does not cover', async () => {
    const branch = branchOf('succeeded');
    const { from } = utcDayOf(at);
    await addPartition(branch, 'by_hand_p20260227', { from: addMs(from, 3_600_000), to: addMs(from, 7_200_000) });
    expect(await createPartitionsAhead(at)).toBe(all + 1);
    const made = (await listDays(branch)).slice(0, 3).map(({ table }) => table);
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
    await database().query(`ALTER TABLE partitions.delivery_attempts_failed DETACH PARTITION partitions.${name}`);
    await insertAttempts(addMs(at, 2), { succeeded: false });
    expect(await createPartitionsAhead(at)).toBe(1);
    expect(await countByPartition('delivery_attempts')).toEqual({ [name]: 2 });
  });

  it('that cannot be attached is named in the error, and does not stop the others', async () => {
    await database().query(`CREATE TABLE partitions.${name} (something_else int)`);
    await expect(createPartitionsAhead(at)).rejects.toThrow(
      `partitions.${name} is there without being a partition of partitions.delivery_attempts_failed`,
    );
    const made = await Promise.all(BRANCHES.map(async (branch) => (await listDays(branch)).length));
    expect(made).toEqual([days, days - 1, days]);
  });
});

describe('the step that creates partitions', () => {
  it('counts each partition once when two processes run it at once', async () => {
    const runs = await Promise.all([startTestRun({ now: at }), startTestRun({ now: at })]);
    expect((await makePartitions.preview(runs[0])).partitionsToCreate).toHaveLength(all);
    await Promise.all(runs.map((run) => makePartitions.clean(run)));
    const counted = await Promise.all(runs.map(async (run) => (await readRun(run)).partitions_created));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(all);
    expect((await readCounters()).partition_created_total).toBe(all);
    expect((await makePartitions.preview(runs[0])).partitionsToCreate).toEqual([]);
  });

  it('creates and previews nothing while maintenance is off', async () => {
    const run = await startTestRun({ now: at, policy: { maintainsPartitions: false } });
    await makePartitions.clean(run);
    expect(await makePartitions.preview(run)).toEqual({});
    expect(await listDays(branchOf('failed'))).toEqual([]);
  });

  it('creates nothing after the run is told to stop', async () => {
    await makePartitions.clean(await startTestRun({ now: at, signal: AbortSignal.abort() }));
    expect(await listDays(branchOf('failed'))).toEqual([]);
  });

  it('opens a period of the default partition that a killed process has left closed', async () => {
    const day = utcDayOf(new Date('2026-02-20T00:00:00Z'));
    await closeRange(branchOf('succeeded'), day, {});
    await expect(insertAttempts(day.from)).rejects.toThrow('violates check constraint');
    const { defaultTable } = branchOf('succeeded');
    await database().query(`ALTER TABLE ${defaultTable} ADD CONSTRAINT "closed_on Sundays" CHECK (true)`);
    await makePartitions.clean(await startTestRun({ now: at }));
    await insertAttempts(day.from);
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_succeeded_default: 1 });
    // A constraint that others created is not ours.
    await database().query(`ALTER TABLE ${defaultTable} DROP CONSTRAINT "closed_on Sundays"`);
  });
});

describe('dropping partitions', () => {
  const now = new Date('2028-03-15T02:00:00Z');
  const daysAgo = (days: number) => utcDayOf(addMs(now, -days * DAY_MS));
  const succeeded = branchOf('succeeded');
  const failed = branchOf('failed');
  const tunnel = branchOf('tunnel_request_log');

  beforeEach(async () => {
    await dropAllPartitions();
    await database().query('DELETE FROM metric_counters');
  });

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
    await inOtherTransaction('LOCK TABLE partitions.delivery_attempts_succeeded_p20280225 IN ACCESS SHARE MODE', () =>
      expect(dropExpired(run, { maxTries: 2 })).rejects.toThrow(
        'partitions.delivery_attempts_succeeded_p20280225: could not get its lock in time',
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
    await database().query(
      `ALTER TABLE ${succeeded.parent} DETACH PARTITION partitions.${nameOfDay(succeeded, daysAgo(40).from)}`,
    );
    await dropExpiredPartitions.clean(await startTestRun({ now }));
    expect(await agesOf(succeeded)).toEqual([19, 1]);
    const { rowCount } = await database().query(`SELECT FROM partitions.${nameOfDay(succeeded, daysAgo(40).from)}`);
    expect(rowCount).toBe(0);
    for (const { defaultTable } of BRANCHES) await database().query(`SELECT FROM ${defaultTable}`);
  });

  it('drops nothing and previews nothing while maintenance is off', async () => {
    await addDays(succeeded, 20);
    const run = await startTestRun({ now, policy: { maintainsPartitions: false } });
    await dropExpiredPartitions.clean(run);
    expect([await agesOf(succeeded), await dropExpiredPartitions.preview(run)]).toEqual([
      [20],
      { rows: {}, partitionsToDrop: [] },
    ]);
  });
});
