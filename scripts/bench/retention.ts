import { setTimeout as sleep } from 'node:timers/promises';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { closeDatabase } from '@/lib/platform/db';
import { median, quantile } from './support/latencies';
import { checkFigure, ratiosOf, reportFigure } from './support/report';
import { measureCap, measureIdleCap, measureWindowDelete } from './support/retention-cap';
import { type KeptDays, type MainRun, runMain } from './support/retention-child';
import { fillRetentionData, prepareRetentionData, type RetentionData } from './support/retention-data';
import { measureDrops, type RemovedDay } from './support/retention-drops';
import { type EventRates, fillPlainEvents, measureEvents } from './support/retention-events';
import { startLoad } from './support/retention-load';
import { type Stack, startStack } from './support/stack';

const [ROUNDS, EVENT_ROUNDS, CAP_ROUNDS, WINDOW_ROUNDS] = [3, 7, 7, 2];
const [SMALL_SHARE, CONTROL_MS, MEMORY_MB, STALL_MS] = [0.2, 15_000, 150, 150];

/*
 * The measurements use up the days of the data, oldest first: the drops take twelve, the events six more, and the runs of
 * `main` the rest, with ever shorter windows. The last run has three times as much to remove.
 */
const UNDER_LOAD: KeptDays = { failures: 90, successes: 80, events: 90 };
const SMALL_RUN: KeptDays = { failures: 80, successes: 50, events: 80 };
const LARGE_RUN: KeptDays = { failures: 50, successes: 30, events: 50 };

/**
 * The cost of retention on a table of 5 million attempts, compared with plain SQL for the same work, measured in the same
 * run. `--rows 0.1` uses a tenth of the volume.
 */
export async function main(args: string[]): Promise<void> {
  const share = readShare(args);
  const stack = await startStack();
  try {
    const data = await prepareRetentionData();
    await benchCap(data, share);
    await benchDrops(data, stack);
    await benchEvents(data);
    await benchStalls(stack);
    await benchMemory(stack);
  } finally {
    await closeDatabase();
    await stack.stop();
  }
}

function readShare(args: string[]): number {
  const [name, value = '1'] = args.length === 0 ? ['--rows'] : args;
  const share = Number(value);
  if (name !== '--rows' || !(share > 0 && share <= 10))
    throw new Error('--rows must be a share of the volume, such as 0.1');
  return share;
}

async function benchCap(data: RetentionData, share: number): Promise<void> {
  await fillRetentionData(data, share * SMALL_SHARE);
  const small = await measureCap(CAP_ROUNDS);
  await fillRetentionData(data, share * (1 - SMALL_SHARE));
  const full = await measureCap(CAP_ROUNDS);
  const window = await measureWindowDelete(WINDOW_ROUNDS);
  reportFigure('cap, 1,000 attempts in excess, a fifth of the rows', small, ' ms');
  reportFigure('cap, 1,000 attempts in excess, all rows', full, ' ms');
  reportFigure('the same with row_number() over all attempts', window, ' ms');
  reportFigure('cap, nothing to do', await measureIdleCap(CAP_ROUNDS), ' ms');
  checkFigure('RATIO cap with all rows ÷ with a fifth', [median(full) / median(small)], { atMost: 1.5 });
  checkFigure('RATIO cap ÷ row_number()', [median(full) / median(window)], { atMost: 0.02 });
}

async function benchDrops(data: RetentionData, stack: Stack): Promise<void> {
  const { deleted, bare, dropped, droppedFromMemory } = await measureDrops(data, stack.dataDir, ROUNDS);
  reportDays('delete a day in batches', deleted);
  reportDays('plain DELETE of a day in batches', bare);
  reportDays('drop the partitions of a day', dropped);
  reportDays('the same with the files in the page cache', droppedFromMemory);
  const [time, wal] = [({ totalMs }: RemovedDay) => totalMs, ({ walBytes }: RemovedDay) => walBytes];
  checkFigure('RATIO drop ÷ batched delete, time', ratiosPerRow(dropped, deleted, time), { atMost: 0.05 });
  reportFigure('ratio drop ÷ plain DELETE, time', ratiosPerRow(dropped, bare, time));
  checkFigure('RATIO drop ÷ batched delete, WAL', ratiosPerRow(dropped, deleted, wal), { atMost: 0.01 });
}

function reportDays(label: string, days: readonly RemovedDay[]): void {
  const what = `${label}, ${days[0]?.rows.toLocaleString('en-US')} rows`;
  const [ms, kb] = [days.map(({ totalMs }) => totalMs), days.map(({ walBytes }) => walBytes / 1024)];
  reportFigure(what, ms, ' ms');
  reportFigure(`${what}, WAL`, kb, ' kB');
}

function ratiosPerRow(
  days: readonly RemovedDay[],
  others: readonly RemovedDay[],
  read: (day: RemovedDay) => number,
): number[] {
  const perRow = (of: readonly RemovedDay[]) => of.map((day) => read(day) / day.rows);
  return ratiosOf(perRow(days), perRow(others));
}

/** Events without deliveries, then the events of the data: with deliveries, and with attempts made days later. */
async function benchEvents(data: RetentionData): Promise<void> {
  const plainDays = EVENT_ROUNDS * 2;
  const firstPlainDay = addMs(data.from, -plainDays * DAY_MS);
  await fillPlainEvents(data, firstPlainDay, plainDays);
  const plain = await measureEvents(firstPlainDay, EVENT_ROUNDS);
  reportRates('events without deliveries', plain);
  checkFigure('RATIO cleanup of events ÷ plain DELETE', ratiosOf(plain.cleaned.events, plain.bare.events), {
    atLeast: 0.6,
  });
  const whole = await measureEvents(data.from, ROUNDS);
  reportRates('events with deliveries', whole);
  reportFigure('rows/s, plain DELETE: leaves their attempts', whole.bare.rows);
  reportFigure('rows/s, cleanup: removes their late attempts too', whole.cleaned.rows);
  reportFigure('ratio of these rows/s', ratiosOf(whole.cleaned.rows, whole.bare.rows));
}

function reportRates(what: string, { bare, cleaned, paced }: EventRates): void {
  reportFigure(`${what}, per second, plain DELETE in batches`, bare.events);
  reportFigure(`${what}, per second, cleanup without its pauses`, cleaned.events);
  reportFigure(`${what}, per second, cleanup with its pauses`, paced);
}

async function benchStalls(stack: Stack): Promise<void> {
  const load = await startLoad(stack);
  try {
    load.startReader();
    await load.take();
    await sleep(CONTROL_MS);
    reportInserts('insert of an attempt, no run', await load.take());
    const run = await runMain(stack, UNDER_LOAD);
    const latenciesMs = await load.take();
    reportInserts(`insert of an attempt, during main (${describe(run)})`, latenciesMs);
    checkFigure('worst insert during main', [quantile(latenciesMs, 1)], { atMost: STALL_MS }, ' ms');
  } finally {
    await load.stop();
  }
}

function reportInserts(label: string, latenciesMs: readonly number[]): void {
  const shown = [0.5, 0.99, 0.999, 1].map(
    (q) => `${q === 1 ? 'worst' : `p${q * 100}`} ${quantile(latenciesMs, q).toFixed(1)} ms`,
  );
  process.stdout.write(`${label}: ${shown.join(', ')} of ${latenciesMs.length.toLocaleString('en-US')}\n`);
}

async function benchMemory(stack: Stack): Promise<void> {
  for (const kept of [SMALL_RUN, LARGE_RUN]) {
    const run = await runMain(stack, kept);
    checkFigure(`peak memory of main (${describe(run)})`, [run.peakMb], { atMost: MEMORY_MB }, ' MB');
  }
}

function describe({ rowsRemoved, partitionsDropped, durationMs, error }: MainRun): string {
  const rows = Object.values(rowsRemoved).reduce((sum, count) => sum + count, 0);
  return `${rows.toLocaleString('en-US')} rows, ${partitionsDropped} partitions, ${(durationMs / 1000).toFixed(1)} s${error === null ? '' : `, ${error}`}`;
}
