import { eventMessage } from '@/lib/delivery/engine/messages';
import { closeDatabase } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { sendBare } from './support/bare-sender';
import { deliverBacklog, emptyTables, sendAtPace, storeBacklog, waitUntilDelivered } from './support/delivery-load';
import { type ReceiverProcess, startReceiverProcess } from './support/receiver-process';
import { recordBacklog } from './support/record-backlog';
import { residentMb } from './support/resident-memory';
import { type LoadedProject, seedTenants } from './support/seed-endpoints';
import { startStack } from './support/stack';
import { median, quantile, summarize } from './support/stats';

const [ROUNDS, ROUND_EVENTS, PROJECTS, CONCURRENCY] = [5, 20_000, 10, 200];
const [PACE_PER_SECOND, PACE_SECONDS] = [200, 10];
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
export async function main(): Promise<void> {
  const stack = await startStack();
  const receiver = await startReceiverProcess();
  try {
    const projects = await seedTenants(Array(PROJECTS).fill(receiver.port));
    const stored = await measureStorage(projects);
    const worker = await stack.startPart('worker');
    const body = eventMessage({
      id: newId(),
      type: 'order.paid',
      timestamp: new Date().toISOString(),
      data: DATA,
    }).body;
    await sendBare(receiver.port, body, ROUND_EVENTS / 4, CONCURRENCY);
    await deliverBacklog(projects, receiver, ROUND_EVENTS / 4, DATA);
    const [bare, delivered, rssMb]: number[][] = [[], [], []];
    for (let round = 1; round <= ROUNDS; round++) {
      process.stdout.write(`round ${round} of ${ROUNDS}\n`);
      bare?.push(await sendBare(receiver.port, body, ROUND_EVENTS, CONCURRENCY));
      delivered?.push(await deliverBacklog(projects, receiver, ROUND_EVENTS, DATA));
      rssMb?.push(residentMb(worker.pid, 'VmRSS'));
    }
    const latencies = await measureLatencies(projects, receiver);
    report({ bare: bare ?? [], stored, delivered: delivered ?? [], rssMb: rssMb ?? [], latencies });
    process.stdout.write(`worker's peak memory: ${residentMb(worker.pid, 'VmHWM').toFixed(0)} MB\n`);
  } finally {
    receiver.stop();
    await closeDatabase();
    await stack.stop();
  }
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
async function measureLatencies(projects: LoadedProject[], receiver: ReceiverProcess): Promise<number[]> {
  await receiver.ask('reset');
  const committedAt = await sendAtPace(projects, PACE_PER_SECOND, PACE_SECONDS, DATA);
  await waitUntilDelivered();
  const { seen } = await receiver.ask('times');
  if (seen.length !== committedAt.size) throw new Error(`${committedAt.size} events sent, ${seen.length} received`);
  return seen.map(([id, at]) => Math.max(0, at - (committedAt.get(id) ?? Number.NaN)));
}

interface Figures {
  bare: number[];
  /** Deliveries per second that PostgreSQL claims and records with the worker's statements while nothing is sent. */
  stored: number[];
  delivered: number[];
  rssMb: number[];
  latencies: number[];
}

function report({ bare, stored, delivered, rssMb, latencies }: Figures): void {
  const ratios = delivered.map((value, round) => value / (bare[round] ?? Number.NaN));
  const p95 = quantile(latencies, 0.95);
  const lines = [
    summarize(`undici alone, signed messages/s, ${CONCURRENCY} concurrent`, bare),
    summarize('PostgreSQL alone, deliveries claimed and recorded/s', stored),
    summarize(`deliveries/s, outbox to record, ${PROJECTS} endpoints`, delivered),
    summarize('RATIO deliveries ÷ undici alone (target ≥ 0.55)', ratios),
    summarize(
      'RATIO deliveries ÷ PostgreSQL alone',
      delivered.map((value) => value / median(stored)),
    ),
    `202 to receiver at ${PACE_PER_SECOND} events/s: p50 ${median(latencies).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (target < 150), worst ${Math.max(...latencies).toFixed(1)} ms`,
    `worker's memory after each ${ROUND_EVENTS.toLocaleString('en-US')} events: ${rssMb.map((mb) => mb.toFixed(0)).join(', ')} MB`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (median(ratios) < 0.55 || p95 >= 150) process.exitCode = 1;
}
