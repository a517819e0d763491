import { Pool } from 'undici';
import { makeEndpointSecret, signWebhook } from '@/lib/delivery/credentials';
import { eventMessage } from '@/lib/delivery/engine/messages';
import { firstDelivery, type TakenEntry, takeEntries } from '@/lib/delivery/engine/outbox/take-entries';
import { recordOutcomes } from '@/lib/delivery/engine/record/record-outcomes';
import { loadTargets } from '@/lib/delivery/engine/targets';
import type { Outcome, Target } from '@/lib/delivery/engine/types';
import { signingKey } from '@/lib/delivery/signature-schemes-policy';
import { hotDatabase } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { type Receiver, startReceiver } from './support/children';
import { deliverBacklog, emptyTables, sendAtPace, storeBacklog, waitUntilDelivered } from './support/delivery-load';
import {
  checkFigure,
  checkValue,
  describeSpread,
  median,
  quantile,
  ratiosOf,
  reportFigure,
  say,
} from './support/figures';
import { residentMb } from './support/process-cost';
import { type LoadedProject, seedTenants } from './support/seed';
import { withStack } from './support/stack';

const ROUNDS = 5;
const ROUND_EVENTS = 20_000;
const PROJECTS = 10;
const CONCURRENCY = 200;
const PACE_PER_SECOND = 200;
const PACE_SECONDS = 10;
const DATA = JSON.stringify({
  orderId: 'ord_8f2c1',
  amount: 4200,
  currency: 'EUR',
  customer: { id: 'c19', tier: 'gold' },
});

/**
 * Throughput from the outbox to a receiver, compared with a limit measured in the same run: undici alone, signing and sending
 * to the same receiver. Then the latency from 202 to the receiver, and whether the worker's memory stays flat.
 */
export function main(): Promise<void> {
  return withStack(async (stack) => {
    const receiver = await startReceiver('http');
    const [port = 0] = receiver.ready.ports;
    const projects = await seedTenants(Array(PROJECTS).fill(port));
    const stored = await measureStorage(projects);
    const worker = await stack.startPart('worker');
    const { body } = eventMessage({
      id: newId(),
      type: 'order.paid',
      timestamp: new Date().toISOString(),
      data: DATA,
    });
    await sendBare(port, body, ROUND_EVENTS / 4, CONCURRENCY);
    await deliverBacklog(projects, receiver, ROUND_EVENTS / 4, DATA);
    const [bare, delivered, rssMb]: [number[], number[], number[]] = [[], [], []];
    for (let round = 1; round <= ROUNDS; round++) {
      say(`round ${round} of ${ROUNDS}`);
      bare.push(await sendBare(port, body, ROUND_EVENTS, CONCURRENCY));
      delivered.push(await deliverBacklog(projects, receiver, ROUND_EVENTS, DATA));
      rssMb.push(residentMb(worker.pid, 'VmRSS'));
    }
    const latencies = await measureLatencies(projects, receiver);
    reportFigure(`undici alone, signed messages/s, ${CONCURRENCY} concurrent`, bare);
    reportFigure('PostgreSQL alone, deliveries claimed and recorded/s', stored);
    reportFigure(`deliveries/s, outbox to record, ${PROJECTS} endpoints`, delivered);
    reportFigure('RATIO deliveries ÷ undici alone', ratiosOf(delivered, bare));
    const ofPostgres = delivered.map((value) => value / median(stored));
    checkFigure('RATIO deliveries ÷ PostgreSQL alone', ofPostgres, { atLeast: 0.5 });
    say(`202 to receiver at ${PACE_PER_SECOND} events/s: ${describeSpread(latencies)}`);
    checkValue('202 to receiver, p95', quantile(latencies, 0.95), { atMost: 150 }, ' ms');
    reportFigure(`worker's memory after each ${ROUND_EVENTS.toLocaleString('en-US')} events`, rssMb, ' MB');
    say(`worker's peak memory: ${residentMb(worker.pid, 'VmHWM').toFixed(0)} MB`);
  });
}

/** Runs before the worker starts. @returns deliveries per second that PostgreSQL alone stores, by round */
async function measureStorage(projects: LoadedProject[]): Promise<number[]> {
  const perSecond: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await storeBacklog(projects, ROUND_EVENTS, DATA);
    const ids = projects.map(({ projectId }) => projectId);
    perSecond.push(await recordBacklog(ids, ROUND_EVENTS));
    await emptyTables();
  }
  // The first round warms PostgreSQL up.
  return perSecond.slice(1);
}

/** @returns for each event, the milliseconds from 202 to the receiver */
async function measureLatencies(projects: LoadedProject[], receiver: Receiver): Promise<number[]> {
  await receiver.ask('reset');
  const committedAt = await sendAtPace(projects, PACE_PER_SECOND, PACE_SECONDS, DATA);
  await waitUntilDelivered();
  const { seen } = await receiver.ask('times');
  if (seen.length !== committedAt.size) throw new Error(`${committedAt.size} events sent, ${seen.length} received`);
  return seen.map(([id, at]) => Math.max(0, at - (committedAt.get(id) ?? Number.NaN)));
}

/**
 * The upper bound for delivery: undici sends signed messages of the same size to the same receiver and reads the responses,
 * without a database.
 *
 * @returns messages per second
 */
async function sendBare(port: number, body: Buffer, count: number, concurrency: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency });
  const key = signingKey(makeEndpointSecret());
  let left = count;
  const sendOn = async () => {
    while (left-- > 0) {
      const id = newId();
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook([key], id, timestamp, body),
      };
      const response = await pool.request({ path: '/hook', method: 'POST', headers, body });
      await response.body.text();
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, sendOn));
  const perSecond = count / ((performance.now() - started) / 1000);
  await pool.destroy();
  return perSecond;
}

/** Outbox rows that one statement claims, and outcomes that one statement records, as in the worker. */
const BATCH = 400;
const RESULT = {
  succeeded: true,
  responseStatus: 200,
  responseBody: 'ok',
  error: null,
  retryAfter: null,
  requestParts: `user-agent: EventDeliveryService/1.0.0\nwebhook-signature: v1,${'x'.repeat(44)}`,
  responseHeaders: 'date: Sat, 31 Jan 2026 09:30:00 GMT\nconnection: keep-alive\ncontent-length: 2',
  remoteAddress: '127.0.0.1:4000',
  timing: { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: 800 },
};

/**
 * Claims and records a stored backlog with the statements of the worker, one after the other, without sending: the upper
 * bound that PostgreSQL sets on this machine.
 *
 * @returns deliveries per second
 */
async function recordBacklog(projectIds: readonly string[], count: number): Promise<number> {
  const turns = projectIds.map((key) => ({ key, most: Math.ceil(BATCH / projectIds.length) }));
  const targets = new Map<string, Target>();
  const started = performance.now();
  let recorded = 0;
  while (recorded < count) {
    const { entries } = await takeEntries(hotDatabase(), turns);
    await learnTargets(entries, targets);
    const outcomes = entries.flatMap((taken) => outcomesOf(taken, targets));
    if (outcomes.length === 0) throw new Error(`${recorded} of ${count} deliveries could be claimed`);
    recorded += (await recordOutcomes(outcomes)).counted.length;
  }
  return count / ((performance.now() - started) / 1000);
}

async function learnTargets(entries: readonly TakenEntry[], known: Map<string, Target>): Promise<void> {
  const unknown = entries.flatMap(({ targets }) => targets.flatMap(({ id }) => (known.has(id) ? [] : id)));
  if (unknown.length === 0) return;
  for (const [id, found] of await loadTargets(hotDatabase(), [...new Set(unknown)])) {
    if ('target' in found) known.set(id, found.target);
  }
}

function outcomesOf(taken: TakenEntry, known: ReadonlyMap<string, Target>): Outcome[] {
  const { message } = taken;
  if (message === null) return [];
  return taken.targets.flatMap(({ id }) => {
    const target = known.get(id);
    if (target === undefined) return [];
    const job = { ...firstDelivery(taken, target), message };
    return [{ job, target, result: { ...RESULT, startedAt: new Date(), durationMs: 1 }, retryMs: null }];
  });
}
