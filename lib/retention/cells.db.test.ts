import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readCells } from '@/lib/platform/cells/cells';
import { inCell, inEachCell, knownCells } from '@/lib/platform/cells/current-cell';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { itOnOneServer } from '@/tests/database/one-server';
import { earlier, run, select } from '@/tests/database/rows';
import { addPlacedCell, useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { addPartition, branchOf, insertAttempts } from '@/tests/retention/partitions';
import { readCounters } from '@/tests/retention/test-run';
import { makeEndless, readRuns, step, stepInCells } from '@/tests/retention/test-steps';
import { estimateRows, findOldestRows } from './figures/figures';
import { tryJobLock } from './jobs/job-lock';
import type { JobRun } from './jobs/job-run';
import { previewJob, runJob } from './jobs/run-job';
import { prepareNewCells } from './jobs/schedule';
import { countAllDefaultRows, countDaysAhead, measureDaysOfCells } from './partitions/list-partitions';
import { DAYS_AHEAD, nameOfDay, utcDayOf } from './partitions/partitions';

useDatabase();
useCells('cell_01');

const FAILED = branchOf('failed');
const now = new Date();
const longAgo = addMs(now, -400 * DAY_MS);

/** Inserts two expired events and one that is kept, and an expired day of three attempts, in each cell. */
async function fillEachCell(): Promise<void> {
  await inEachCell(async () => {
    const projectId = await insertProject();
    const ids = await insertEvents(projectId, 3);
    await run('DELETE FROM outbox');
    await run('UPDATE events SET created_at = $1 WHERE id = ANY($2)', longAgo, ids.slice(1));
    await addPartition(FAILED, nameOfDay(FAILED, longAgo), utcDayOf(longAgo));
    await insertAttempts(longAgo, { succeeded: false, count: 3 });
  });
}

const countIn = (cell: string, table: string) =>
  inCell(cell, async () => (await select<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n);
const hasDay = (cell: string, at: Date) =>
  inCell(cell, async () => {
    const [found] = await select('SELECT to_regclass($1) IS NOT NULL AS there', nameOfDay(FAILED, at));
    return found.there;
  });

beforeEach(async () => {
  await run('DELETE FROM retention_runs');
  await run('DELETE FROM metric_counters');
  await inEachCell(async () => {
    await run(`DROP TABLE IF EXISTS ${nameOfDay(FAILED, longAgo)}`);
    await run('TRUNCATE delivery_attempts, events, deliveries, outbox');
  });
});

describe('a job with several cells', () => {
  it('removes what has expired in each, makes and drops partitions there, and counts the sum in one run', async () => {
    await fillEachCell();
    const preview = await previewJob('main');
    expect(preview.rowsToRemove.events).toBe(4);
    expect(preview.partitionsToDrop).toEqual(knownCells().map((cell) => `${cell}.${nameOfDay(FAILED, longAgo)}`));
    const summary = await runJob('main');
    expect(summary).toMatchObject({ status: 'done', error: null, partitionsDropped: 2, rowsRemoved: { events: 4 } });
    expect(summary.partitionsCreated).toBe(preview.partitionsToCreate.length);
    for (const cell of knownCells()) {
      expect([cell, await countIn(cell, 'events'), await countIn(cell, 'delivery_attempts')]).toEqual([cell, 1, 0]);
      expect([await hasDay(cell, longAgo), await hasDay(cell, addMs(now, DAYS_AHEAD * DAY_MS))]).toEqual([false, true]);
    }
    expect(await readRuns()).toHaveLength(1);
    expect(await readCounters()).toMatchObject({
      'retention_rows_removed_total events': 4,
      partition_dropped_total: 2,
    });
  });

  it('removes and previews no rows in the target of an unfinished move, unless its mover was silent for two hours before the switch', async () => {
    await fillEachCell();
    await run(
      `INSERT INTO cell_moves (organization_id, source, target) SELECT id, 'cell_00', 'cell_01' FROM organizations LIMIT 1`,
    );
    onTestFinished(() => run('DELETE FROM cell_moves').then(() => undefined));
    const eventsLeft = async () => {
      const { rowsToRemove } = await previewJob('main');
      const summary = await runJob('main');
      expect(summary).toMatchObject({ status: 'done', error: null });
      expect(summary.rowsRemoved.events).toBe(rowsToRemove.events);
      return [await countIn('cell_00', 'events'), await countIn('cell_01', 'events')];
    };
    expect(await eventsLeft()).toEqual([1, 3]);
    expect(await hasDay('cell_01', longAgo)).toBe(false);
    await run(`UPDATE cell_moves SET seen_at = now() - interval '121 minutes', moved_at = now()`);
    expect(await eventsLeft()).toEqual([1, 3]);
    await run('UPDATE cell_moves SET moved_at = NULL');
    expect(await eventsLeft()).toEqual([1, 1]);
  });

  it('removes what all cells share once', async () => {
    await run(
      `INSERT INTO device_codes (id, device_code_hash, user_code_hash, expires_at)
       SELECT gen_random_uuid(), n::text::bytea, n::text::bytea, now() - interval '1 day' FROM generate_series(1, 3) n`,
    );
    expect((await previewJob('main')).rowsToRemove).toMatchObject({ device_codes: 3 });
    expect((await runJob('main')).rowsRemoved).toMatchObject({ device_codes: 3 });
    const ran: (string | undefined)[] = [];
    const note = async ({ cell }: JobRun) => void ran.push(cell);
    await runJob('main', { steps: [step('shared', note), stepInCells('of a cell', note)] });
    expect(ran).toEqual(['cell_00', 'cell_01', undefined]);
  });

  it('cleans the others when a step fails in one, and names the cell in the reason', async () => {
    await fillEachCell();
    await inCell('cell_00', () => run('ALTER TABLE incoming_events RENAME TO elsewhere'));
    const summary = await runJob('main');
    await inCell('cell_00', () => run('ALTER TABLE elsewhere RENAME TO incoming_events'));
    expect(summary).toMatchObject({ status: 'failed', rowsRemoved: { events: 4 }, partitionsDropped: 2 });
    expect(summary.error).toContain('incoming events in cell_00: relation "incoming_events" does not exist');
    expect(summary.error).not.toContain('cell_01');
  });

  it('divides its time: a cell that is never done does not keep the others from being cleaned', async () => {
    const { endless } = makeEndless();
    const done: string[] = [];
    const slow = stepInCells('slow in the first', (ofCell) =>
      ofCell.cell === 'cell_00' ? endless.clean(ofCell) : Promise.resolve(),
    );
    const note = async ({ cell }: JobRun) => void done.push(cell ?? 'shared');
    const steps = [slow, stepInCells('note', note), step('note', note)];
    const summary = await runJob('burst', { timeLimitMs: 1_500, steps });
    expect(summary).toMatchObject({ status: 'done', outOfTime: true });
    expect(done).toEqual(['cell_01', 'shared']);
  });

  it('continues an interrupted cell with the step that was interrupted, and repeats no other', async () => {
    const ran: string[] = [];
    const first = stepInCells('first', async ({ cell }) => void ran.push(`first ${cell}`));
    const second = stepInCells('second', async ({ cell, signal }) => {
      ran.push(`second ${cell}`);
      const isFirstTry = ran.filter((name) => name === `second ${cell}`).length === 1;
      if (cell === 'cell_00' && isFirstTry) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      }
    });
    expect(await runJob('burst', { timeLimitMs: 1_000, steps: [first, second] })).not.toHaveProperty('outOfTime');
    expect(ran).toEqual(['first cell_00', 'second cell_00', 'first cell_01', 'second cell_01', 'second cell_00']);
  });
});

itOnOneServer('the figures of several cells are sums, the oldest row of any, and the fewest days ahead', async () => {
  await runJob('partitions');
  await fillEachCell();
  await inCell('cell_01', async () => {
    await run(`UPDATE events SET ${earlier('created_at', '1 day')}`);
    await insertAttempts(addMs(now, -900 * DAY_MS), { succeeded: false, count: 5 });
  });
  const sizeOf = async (table: string): Promise<number> =>
    (await select('SELECT pg_total_relation_size($1)::float8 AS bytes', table))[0].bytes;
  const [first = 0, second = 0] = await inEachCell(() => sizeOf('events'));
  expect((await estimateRows(['events', 'sessions'])).map(({ table, bytes }) => [table, bytes])).toEqual([
    ['events', first + second],
    ['sessions', await sizeOf('sessions')],
  ]);
  const oldest = await findOldestRows();
  expect(oldest.events).toEqual(addMs(longAgo, -DAY_MS));
  expect(oldest.failedAttempts).toEqual(addMs(now, -900 * DAY_MS));
  expect((await countAllDefaultRows()).get(FAILED.name)).toBe(5);
  expect(await countDaysAhead(now)).toBe(DAYS_AHEAD);
  await inCell('cell_01', () => run(`DROP TABLE ${nameOfDay(FAILED, addMs(now, 3 * DAY_MS))}`));
  expect(await countDaysAhead(now)).toBe(2);
  const measured = await measureDaysOfCells(FAILED);
  expect(measured.filter(({ table }) => table === nameOfDay(FAILED, longAgo))).toHaveLength(2);
  expect((await runJob('metrics')).tableRows).toMatchObject({ partitionDefaultRows: 0 });
});

describe('cells that were just added', () => {
  it('get their partitions although another run is under way, and eight cells are cleaned by one run', async () => {
    const lock = await tryJobLock('partitions');
    for (const name of ['cell_02', 'cell_03', 'cell_04', 'cell_05', 'cell_06', 'cell_07']) {
      await addPlacedCell(name);
    }
    await readCells();
    const preparing = prepareNewCells(new AbortController().signal, 50);
    await lock?.release();
    await preparing;
    expect(knownCells()).toHaveLength(8);
    for (const cell of knownCells()) expect(await hasDay(cell, addMs(now, DAYS_AHEAD * DAY_MS)), cell).toBe(true);
    await fillEachCell();
    const summary = await runJob('main');
    expect(summary).toMatchObject({ status: 'done', error: null, rowsRemoved: { events: 16 }, partitionsDropped: 8 });
    for (const cell of knownCells()) expect([cell, await countIn(cell, 'events')]).toEqual([cell, 1]);
  });
});
