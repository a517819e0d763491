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
} from '@/tests/retention/partitions';
import { readCounters, readRun, startTestRun } from '@/tests/retention/test-run';
import { closeRange } from './closed-range';
import { createPartitionsAhead, makePartitions } from './create-partitions';
import { listDays } from './list-partitions';
import { BRANCHES, DAYS_AHEAD, utcDayOf } from './partitions';

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

  it('are created once by several processes at once', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => createPartitionsAhead(at)));
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(all);
    expect(await createPartitionsAhead(at)).toBe(0);
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
