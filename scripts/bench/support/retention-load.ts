import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startChild, startReceiver } from './children';
import { storeBacklog, waitUntilDelivered } from './delivery-load';
import { watchMemory } from './process-cost';
import { type LoadedProject, seedTenants } from './seed';
import type { Stack } from './stack';

const [INSERTERS, PROJECTS, BACKLOG_EVENTS] = [4, 10, 5_000];
const [READER_HOLDS_MS, READER_RESTS_MS] = [2_000, 1_000];
const DATA = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200 });

/** The retention windows in days, which determine how much a run removes. */
export interface KeptDays {
  failures: number;
  successes: number;
  events: number;
}

export interface MainRun {
  durationMs: number;
  /** Peak resident memory of the process. */
  peakMb: number;
  rowsRemoved: Record<string, number>;
  partitionsDropped: number;
  /** What failed, such as dropping a partition in use. */
  error: string | null;
}

/** Runs `npm run retention -- main` in a separate process, as a container does. */
export async function runMain(stack: Stack, { failures, successes, events }: KeptDays): Promise<MainRun> {
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
export interface Load {
  /** Returns the latency of each insert since the last call, in milliseconds. */
  take(): Promise<number[]>;
  /** Starts readers that lock the table for two seconds each, one after the other. */
  startReader(): void;
  stop(): Promise<void>;
}

/** Starts connections that insert attempts one by one, and a worker that delivers as fast as it can. */
export async function startLoad(stack: Stack): Promise<Load> {
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
