import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
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
import { deleteExpiredRows } from './delete-expired-rows';
import { listDays } from './list-partitions';
import { utcDayOf } from './partitions';

useDatabase();

const now = new Date('2028-03-15T02:00:00Z');
const ago = (days: number, ms = 0) => addMs(now, ms - days * DAY_MS);
const start = (options: TestRunOptions = {}) =>
  startTestRun({ now, ...options, policy: { maintainsPartitions: false, batchSize: 10, ...options.policy } });

beforeEach(async () => {
  await dropAllPartitions();
  await database().query('DELETE FROM metric_counters');
});

describe('expired rows of partitioned tables without partition maintenance', () => {
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

  it('stay when the run is told to stop', async () => {
    await insertAttempts(ago(20));
    await deleteExpiredRows.clean(await start({ signal: AbortSignal.abort() }));
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_succeeded_default: 1 });
  });

  it('stay where partitions are maintained, because they are dropped with these', async () => {
    await insertAttempts(ago(20));
    const run = await start({ policy: { maintainsPartitions: true } });
    await deleteExpiredRows.clean(run);
    expect(await deleteExpiredRows.preview(run)).toEqual({ rows: {} });
    expect(await countByPartition('delivery_attempts')).toEqual({ delivery_attempts_succeeded_default: 1 });
  });
});
