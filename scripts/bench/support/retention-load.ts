import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type LoadedProject, seedReceivers, storeBacklog, waitUntilDelivered } from './delivery-load';
import { startReceiverProcess } from './receiver-process';
import type { Stack } from './stack';

const [INSERTERS, PROJECTS, BACKLOG_EVENTS] = [4, 10, 5_000];
const [READER_HOLDS_MS, READER_RESTS_MS] = [2_000, 1_000];
const DATA = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200 });

/** Live traffic on the table of attempts. */
export interface Load {
  /** Milliseconds that each insert took since the last call. */
  take(): number[];
  /** Readers that keep the table for two seconds each, one after the other. */
  startReader(): void;
  stop(): Promise<void>;
}

/** Connections that insert one attempt after the other, and the worker, delivering as fast as it can. */
export async function startLoad(stack: Stack): Promise<Load> {
  const receiver = await startReceiverProcess();
  const projects = await seedReceivers(PROJECTS, receiver.port);
  const worker = await stack.startPart('worker');
  const [latenciesMs, stop]: [number[], AbortController] = [[], new AbortController()];
  const running = [
    ...Array.from({ length: INSERTERS }, () => insertOn(stack.databaseUrl, latenciesMs, stop.signal)),
    deliverOn(projects, stop.signal),
  ];
  return {
    take: () => latenciesMs.splice(0),
    startReader: () => void running.push(readOn(stack.databaseUrl, stop.signal)),
    async stop() {
      stop.abort();
      await Promise.all(running);
      worker.kill();
      receiver.stop();
    },
  };
}

/** As the worker writes: without waiting for the disk, so that what is seen is what locks cost. */
async function insertOn(databaseUrl: string, latenciesMs: number[], signal: AbortSignal): Promise<void> {
  const client = await connect(databaseUrl);
  await client.query(`SET synchronous_commit = off; SET event_delivery.attempts_counted = 'on'`);
  while (!signal.aborted) {
    const startedAt = performance.now();
    await client.query({
      name: 'insert',
      text: `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded)
             SELECT id, id, id, 1, now(), 20, random() < 0.5 FROM gen_random_uuid() id`,
    });
    latenciesMs.push(performance.now() - startedAt);
  }
  await client.end();
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
