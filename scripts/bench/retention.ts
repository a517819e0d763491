import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { readShare } from './support/bench-arguments';
import { startChild, startReceiver } from './support/children';
import { storeBacklog, waitUntilDelivered } from './support/delivery-load';
import { checkFigure, median, quantile, ratiosOf, reportFigure, say } from './support/figures';
import { watchMemory } from './support/process-cost';
import { fillPlainEvents, fillRetentionData, prepareRetentionData, type RetentionData } from './support/retention-data';
import {
  cleanBefore,
  deleteBefore,
  measureCap,
  measureDay,
  measureEvents,
  prepareDelete,
  prepareDrop,
  type RemovedDay,
} from './support/retention-work';
import { type LoadedProject, seedTenants } from './support/seed';
import { type Stack, withStack } from './support/stack';

const ROUNDS = 3;
const EVENT_ROUNDS = 7;
const CAP_ROUNDS = 7;
const SMALL_SHARE = 0.2;
const CONTROL_MS = 15_000;
const MEMORY_MB = 150;
const STALL_MS = 150;
const INSERTERS = 4;
const PROJECTS = 10;
const BACKLOG_EVENTS = 5_000;
const READER_HOLDS_MS = 2_000;
const READER_RESTS_MS = 1_000;
const DATA = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200 });

/*
 * The measurements use up the days of the data, oldest first: the drops take six, the events six more, and the runs of
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
  await withStack(async (stack) => {
    const data = await prepareRetentionData();
    await benchCap(data, share);
    await benchDrops(data, stack);
    await benchEvents(data);
    await benchStalls(stack);
    for (const kept of [SMALL_RUN, LARGE_RUN]) {
      const run = await runMain(stack, kept);
      checkFigure(`peak memory of main (${describe(run)})`, [run.peakMb], { atMost: MEMORY_MB }, ' MB');
    }
  });
}

async function benchCap(data: RetentionData, share: number): Promise<void> {
  await fillRetentionData(data, share * SMALL_SHARE);
  const small = await measureCap(CAP_ROUNDS);
  await fillRetentionData(data, share * (1 - SMALL_SHARE));
  const full = await measureCap(CAP_ROUNDS);
  reportFigure('cap, 1,000 attempts in excess, a fifth of the rows', small, ' ms');
  reportFigure('cap, 1,000 attempts in excess, all rows', full, ' ms');
  checkFigure('RATIO cap with all rows ÷ with a fifth', [median(full) / median(small)], { atMost: 1.5 });
}

async function benchDrops({ from }: RetentionData, { dataDir }: Stack): Promise<void> {
  const [deleted, dropped]: RemovedDay[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    deleted?.push(await measureDay(addMs(from, 2 * round * DAY_MS), dataDir, prepareDelete));
    dropped?.push(await measureDay(addMs(from, (2 * round + 1) * DAY_MS), dataDir, prepareDrop));
  }
  const perRow = (days: RemovedDay[] = [], read: (day: RemovedDay) => number) =>
    days.map((day) => read(day) / day.rows);
  const time = ({ ms }: RemovedDay) => ms;
  const wal = ({ walBytes }: RemovedDay) => walBytes;
  reportFigure('delete a row of a day in batches', perRow(deleted, time), ' ms');
  reportFigure('the same by dropping the partitions of a day', perRow(dropped, time), ' ms');
  const ratiosPerRow = (read: (day: RemovedDay) => number) => ratiosOf(perRow(dropped, read), perRow(deleted, read));
  checkFigure('RATIO drop ÷ batched delete, time', ratiosPerRow(time), { atMost: 0.05 });
  checkFigure('RATIO drop ÷ batched delete, WAL', ratiosPerRow(wal), { atMost: 0.01 });
}

/** Events without deliveries, then the events of the data, with deliveries and attempts: a plain DELETE leaves the latter. */
async function benchEvents(data: RetentionData): Promise<void> {
  const plainDays = EVENT_ROUNDS * 2;
  const firstPlainDay = addMs(data.from, -plainDays * DAY_MS);
  await fillPlainEvents(data, firstPlainDay, plainDays);
  const rates = async (what: string, firstDay: Date, rounds: number) => {
    const [bare, cleaned]: number[][] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare?.push(await measureEvents(addMs(firstDay, (2 * round + 1) * DAY_MS), deleteBefore));
      cleaned?.push(await measureEvents(addMs(firstDay, (2 * round + 2) * DAY_MS), cleanBefore));
    }
    reportFigure(`${what}, per second, plain DELETE in batches`, bare ?? []);
    reportFigure(`${what}, per second, cleanup without its pauses`, cleaned ?? []);
    return ratiosOf(cleaned ?? [], bare ?? []);
  };
  const plain = await rates('events without deliveries', firstPlainDay, EVENT_ROUNDS);
  checkFigure('RATIO cleanup of events ÷ plain DELETE', plain, { atLeast: 0.6 });
  await rates('events with deliveries', addMs(data.from, 2 * ROUNDS * DAY_MS), ROUNDS);
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
  say(`${label}: ${shown.join(', ')} of ${latenciesMs.length.toLocaleString('en-US')}`);
}

function describe({ rowsRemoved, partitionsDropped, durationMs, error }: MainRun): string {
  const rows = Object.values(rowsRemoved).reduce((sum, count) => sum + count, 0);
  return `${rows.toLocaleString('en-US')} rows, ${partitionsDropped} partitions, ${(durationMs / 1000).toFixed(1)} s${error === null ? '' : `, ${error}`}`;
}

/** The retention windows in days, which determine how much a run removes. */
interface KeptDays {
  failures: number;
  successes: number;
  events: number;
}

interface MainRun {
  durationMs: number;
  /** Peak resident memory of the process. */
  peakMb: number;
  rowsRemoved: Record<string, number>;
  partitionsDropped: number;
  /** What failed, such as dropping a partition in use. */
  error: string | null;
}

/** Runs `npm run retention -- main` in a separate process, as a container does. */
async function runMain(stack: Stack, { failures, successes, events }: KeptDays): Promise<MainRun> {
  const env = {
    ...stack.environment,
    DATA_RETENTION_ATTEMPTS_DAYS: String(failures),
    DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: String(successes),
    DATA_RETENTION_EVENTS_DAYS: String(events),
  };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [path.resolve('.build/retention.mjs'), 'main'], {
    env: env as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const memory = watchMemory(child.pid);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (!printed.trimStart().startsWith('{'))
    throw new Error(`the run exited with ${code} without a summary: ${printed}`);
  return { ...JSON.parse(printed), durationMs: performance.now() - startedAt, peakMb: memory.peakMb() };
}

/** Live traffic on the attempts table. */
interface Load {
  /** Returns the latency of each insert since the last call, in milliseconds. */
  take(): Promise<number[]>;
  /** Starts readers that lock the table for two seconds each, one after the other. */
  startReader(): void;
  stop(): Promise<void>;
}

/** Starts connections that insert attempts one by one, and a worker that delivers as fast as it can. */
async function startLoad(stack: Stack): Promise<Load> {
  const receiver = await startReceiver('http');
  const projects = await seedTenants(Array(PROJECTS).fill(receiver.ready.ports[0]));
  const worker = await stack.startPart('worker');
  const inserter = await startChild<string, number[]>('scripts/bench/support/inserter.mjs', [
    stack.databaseUrl,
    String(INSERTERS),
  ]);
  const stop = new AbortController();
  const running = [deliverOn(projects, stop.signal)];
  return {
    take: () => inserter.ask('take'),
    startReader: () => void running.push(readOn(stack.databaseUrl, stop.signal)),
    async stop() {
      stop.abort();
      inserter.stop();
      await Promise.all(running);
      worker.kill();
      receiver.stop();
    },
  };
}

async function deliverOn(projects: readonly LoadedProject[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await storeBacklog(projects, BACKLOG_EVENTS, DATA);
    await waitUntilDelivered();
  }
}

async function readOn(databaseUrl: string, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  while (!signal.aborted) {
    await client.query('BEGIN');
    await client.query('SELECT count(*) FROM delivery_attempts WHERE delivery_id = gen_random_uuid()');
    await sleep(READER_HOLDS_MS, undefined, { signal }).catch(() => undefined);
    await client.query('COMMIT');
    await sleep(READER_RESTS_MS, undefined, { signal }).catch(() => undefined);
  }
  await client.end();
}
