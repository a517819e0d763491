import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { lowestIdAt } from '@/lib/platform/ids';
import { STOP_DEADLINE_MS } from '@/lib/platform/process';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { readCounters } from '@/tests/retention/test-run';
import { failing, makeEndless, readRuns, run, step } from '@/tests/retention/test-steps';
import { countBatchResult } from './job-run';
import type { NamedStep } from './jobs';
import { previewJob } from './preview-job';
import { runJob } from './run-job';

useDatabase();

beforeEach(async () => {
  await database().query('DELETE FROM retention_runs; DELETE FROM metric_counters');
});

/** Counts rows as removed, as a real step does. */
const removing = (name: string, rows: Record<string, number>) =>
  step(name, (run) => inSqlTransaction((tx) => countBatchResult(tx, run, { rows, partitionsDropped: 1 })));

describe('a run', () => {
  it('records one row, which its summary repeats', async () => {
    const summary = await run({ steps: [removing('a', { events: 3, outbox: 1 }), removing('b', { events: 2 })] });
    expect(summary).toEqual({
      job: 'main',
      runId: expect.any(String),
      status: 'done',
      startedAt: '2026-05-01T02:00:00.000Z',
      durationMs: expect.any(Number),
      rowsRemoved: { events: 5, outbox: 1 },
      partitionsCreated: 0,
      partitionsDropped: 2,
      error: null,
    });
    const [row, ...more] = await readRuns();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ job: 'main', error: null, rows_removed: { events: 5, outbox: 1 } });
    expect(row.ended_at - row.started_at).toBe(summary.durationMs);
  });

  it("uses the database's time unless it is given one, the same for every step", async () => {
    const times: Date[] = [];
    const note = step('note', async ({ now }) => void times.push(now));
    const summary = await runJob('cap', { steps: [note, note] });
    expect(times.map((time) => time.toISOString())).toEqual([summary.startedAt, summary.startedAt]);
    expect(Math.abs(Date.now() - (times[0]?.getTime() ?? 0))).toBeLessThan(60_000);
  });

  it('begins only if the rows that are written alongside its own can be written', async () => {
    const alongside = () => Promise.reject(new Error('the audit log is full'));
    await expect(run({ alongside, steps: [removing('a', { events: 1 })] })).rejects.toThrow('the audit log is full');
    expect(await readRuns()).toEqual([]);
    expect((await run({ steps: [] })).status).toBe('done');
  });

  it('is disabled for partitions where PARTITION_MAINTENANCE_ENABLED is false, and records no row', async () => {
    const kept = config();
    setOnce('config', { ...kept, PARTITION_MAINTENANCE_ENABLED: false });
    expect(await runJob('partitions')).toMatchObject({ status: 'disabled', partitionsCreated: 0, error: null });
    setOnce('config', kept);
    expect(await readRuns()).toEqual([]);
    expect((await runJob('partitions', { steps: [] })).status).toBe('done');
  });
});

describe('a step that fails', () => {
  it('does not stop the others; the run names it with the reason and counts as failed', async () => {
    const steps = [failing('events', 'a\n  lock'), removing('sessions', { sessions: 4 }), failing('outbox', 'no')];
    const summary = await run({ steps });
    expect(summary).toMatchObject({
      status: 'failed',
      error: 'events: a lock; outbox: no',
      rowsRemoved: { sessions: 4 },
    });
    expect((await readRuns())[0]).toMatchObject({ error: summary.error, ended_at: expect.any(Date) });
    expect(await readCounters()).toMatchObject({ 'retention_run_failures_total main': 1 });
  });

  it('ends the run when the database is unreachable', async () => {
    let tried = 0;
    const away = step('events', () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })));
    await run({ steps: [away, step('next', async () => void tried++)] });
    expect(tried).toBe(0);
  });
});

describe('a run that ends before its work is done', () => {
  it('stops between two batches, and keeps what it has counted', async () => {
    const stopping = new AbortController();
    const { endless, untilBegun } = makeEndless();
    const running = run({ signal: stopping.signal, steps: [removing('a', { events: 7 }), endless, failing('c', 'c')] });
    await untilBegun();
    stopping.abort();
    expect(await running).toMatchObject({ status: 'stopped', error: 'stopped', rowsRemoved: { events: 7 } });
    expect((await readRuns())[0]).toMatchObject({ error: 'stopped', rows_removed: { events: 7 } });
    expect(await readCounters()).not.toHaveProperty('retention_run_failures_total main');
  });

  it('does not begin after it is told to stop', async () => {
    const summary = await run({ signal: AbortSignal.abort(), steps: [removing('a', { events: 7 })] });
    expect(summary).toMatchObject({ status: 'stopped', rowsRemoved: {} });
  });

  it('waits for a hanging batch only as long as a stopping process may', async () => {
    const stopping = new AbortController();
    let hasBegun = false;
    const hanging = step('hanging', () => {
      hasBegun = true;
      return new Promise(() => undefined);
    });
    const running = run({ signal: stopping.signal, steps: [hanging] });
    await waitFor('the step that hangs', () => hasBegun);
    const startedAt = performance.now();
    stopping.abort();
    expect((await running).status).toBe('stopped');
    expect(performance.now() - startedAt).toBeLessThan(STOP_DEADLINE_MS);
  });

  it('by its time limit is done, and says that there is more to do', async () => {
    const { endless } = makeEndless();
    const summary = await run({ timeLimitMs: 100, steps: [endless, removing('b', { events: 1 })] });
    expect(summary).toMatchObject({ status: 'done', error: null, outOfTime: true, rowsRemoved: {} });
    expect(await run({ timeLimitMs: 5_000, steps: [] })).not.toHaveProperty('outOfTime');
  });
});

describe('a run of a process whose clock is ahead', () => {
  it("has an id of the database's time, so that later runs sort after it", async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS);
    await runJob('main', { steps: [] });
    vi.restoreAllMocks();
    expect((await readRuns())[0]?.id < lowestIdAt(addMs(new Date(), HOUR_MS))).toBe(true);
  });
});

describe('a dry run', () => {
  it('adds up what the steps would do, and changes nothing', async () => {
    const previewing = (name: string, preview: object): NamedStep => ({
      name,
      step: { clean: () => Promise.reject(new Error('It was not to clean.')), preview: async () => preview },
    });
    const steps = [
      previewing('a', { rows: { events: 2, outbox: 0 }, partitionsToDrop: ['p1'] }),
      previewing('b', { rows: { events: 3, deliveries: 1 }, partitionsToCreate: ['p2'], partitionsToDrop: ['p3'] }),
    ];
    const now = new Date('2026-05-01T02:00:00Z');
    expect(await previewJob('main', { now, steps })).toEqual({
      job: 'main',
      dryRun: true,
      at: now.toISOString(),
      rowsToRemove: { events: 5, deliveries: 1 },
      partitionsToCreate: ['p2'],
      partitionsToDrop: ['p1', 'p3'],
    });
    expect(await readRuns()).toEqual([]);
  });
});
