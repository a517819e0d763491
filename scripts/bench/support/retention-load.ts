import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { storeBacklog, waitUntilDelivered } from './delivery-load';
import { startReceiverProcess } from './receiver-process';
import { type LoadedProject, seedTenants } from './seed';
import type { Stack } from './stack';

const [INSERTERS, PROJECTS, BACKLOG_EVENTS] = [4, 10, 5_000];
const [READER_HOLDS_MS, READER_RESTS_MS] = [2_000, 1_000];
const DATA = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200 });

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
  const receiver = await startReceiverProcess();
  const projects = await seedTenants(Array(PROJECTS).fill(receiver.port));
  const worker = await stack.startPart('worker');
  const inserter = fork('scripts/bench/support/inserter.mjs', [stack.databaseUrl, String(INSERTERS)]);
  await once(inserter, 'message');
  const stop = new AbortController();
  const running = [deliverOn(projects, stop.signal)];
  return {
    async take() {
      const answer = once(inserter, 'message');
      inserter.send('take');
      return (await answer)[0] as number[];
    },
    startReader: () => void running.push(readOn(stack.databaseUrl, stop.signal)),
    async stop() {
      stop.abort();
      inserter.kill('SIGKILL');
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
  const client = await connect(databaseUrl);
  while (!signal.aborted) {
    await client.query('BEGIN');
    await client.query('SELECT count(*) FROM delivery_attempts WHERE delivery_id = gen_random_uuid()');
    await sleep(READER_HOLDS_MS, undefined, { signal }).catch(() => undefined);
    await client.query('COMMIT');
    await sleep(READER_RESTS_MS, undefined, { signal }).catch(() => undefined);
  }
  await client.end();
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}
