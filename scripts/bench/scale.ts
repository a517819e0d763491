import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeDatabase, database } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { readArguments } from './support/bench-arguments';
import { deliverBacklog } from './support/delivery-load';
import { httpRequest, type LoadResult, loadHttp } from './support/http-load';
import { type ReceiverProcess, startReceiverProcess } from './support/receiver-process';
import { checkFigure, ratiosOf, reportFigure } from './support/report';
import { type LoadedProject, seedProject, seedTenants } from './support/seed';
import { type Stack, startStack } from './support/stack';

const FULL = { rounds: 5, webMs: 6_000, events: 20_000, slowEvents: 4_000 };
const QUICK = { rounds: 2, webMs: 2_000, events: 4_000, slowEvents: 1_000 };
type Lengths = typeof FULL;

const [CONNECTIONS, PROJECTS] = [64, 10];
/** Receivers that take their time: a worker then waits, and its slots are the limit, not the processor. */
const [SLOW_MS, SLOW_SLOTS] = [50, '20'];
/** The second process takes time from PostgreSQL and the receiver, and makes batches smaller. It must cost less than a fifth. */
const SHARED_CORES = 0.8;
const DATA = '{"orderId":"ord_8f2c1","amount":4200,"currency":"EUR"}';

/** A figure of each round, with one process and with two. */
interface Pair {
  one: number[];
  two: number[];
}

/**
 * Throughput of one and two web processes, and of one and two workers, as ratios. On two cores, which the load, the receiver and
 * PostgreSQL share, a second process cannot add processor time: it must not cost much. Where workers wait for receivers, it must add
 * its slots.
 */
export async function main(args: string[]): Promise<void> {
  const lengths = readArguments(args).isQuick ? QUICK : FULL;
  const stack = await startStack();
  const receivers = [await startReceiverProcess(), await startReceiverProcess(SLOW_MS)] as const;
  try {
    const webs = await measureWebs(stack, lengths);
    reportPair('events/s over HTTP', 'web', webs, SHARED_CORES);
    const [quick, slow] = receivers;
    const workers = await measureWorkers(stack, quick, { ...lengths, environment: {} });
    reportPair('deliveries/s, limited by the processor', 'worker', workers, SHARED_CORES);
    const waiting = { ...lengths, events: lengths.slowEvents, environment: { DELIVERY_CONCURRENCY: SLOW_SLOTS } };
    reportPair(`deliveries/s to ${SLOW_MS} ms receivers`, 'worker', await measureWorkers(stack, slow, waiting), 1.6);
  } finally {
    for (const receiver of receivers) receiver.stop();
    await closeDatabase();
    await stack.stop();
  }
}

/** The same number of connections goes to one process, or half to each. */
async function measureWebs(stack: Stack, { rounds, webMs }: Lengths): Promise<Pair> {
  const { key } = await seedProject();
  const ports = [await findFreePort(), await findFreePort()];
  const webs: ChildProcess[] = [];
  for (const port of ports) webs.push(await stack.startPart('web', { PORT: String(port) }));
  const body = `{"type":"order.paid","data":${DATA}}`;
  const request = httpRequest('POST', '/api/v1/events', { 'Content-Type': 'application/json', 'X-API-Key': key }, body);
  const load = async (used: readonly number[], ms: number) => {
    const share = CONNECTIONS / used.length;
    const results = await Promise.all(used.map((port) => loadHttp(port, request, share, ms)));
    await database().query('TRUNCATE outbox, events CASCADE');
    return sumOf(results);
  };
  await load(ports, 2_000);
  const pair: Pair = { one: [], two: [] };
  for (let round = 1; round <= rounds; round++) {
    process.stdout.write(`web, round ${round} of ${rounds}\n`);
    pair.one.push(await load(ports.slice(0, 1), webMs));
    pair.two.push(await load(ports, webMs));
  }
  await Promise.all(webs.map(end));
  return pair;
}

/** @throws Error when a request was refused */
function sumOf(results: readonly LoadResult[]): number {
  const statuses = new Set(results.flatMap((result) => Object.keys(result.statuses)));
  if ([...statuses].some((status) => status !== '202')) throw new Error(`not every event got 202: ${[...statuses]}`);
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
}

interface WorkerLoad extends Lengths {
  environment: Record<string, string>;
}

async function measureWorkers(
  stack: Stack,
  receiver: ReceiverProcess,
  { rounds, events, environment }: WorkerLoad,
): Promise<Pair> {
  const projects: LoadedProject[] = await seedTenants(Array(PROJECTS).fill(receiver.port));
  const first = await stack.startPart('worker', environment);
  const deliver = () => deliverBacklog(projects, receiver, events, DATA);
  await deliver();
  const pair: Pair = { one: [], two: [] };
  for (let round = 1; round <= rounds; round++) {
    process.stdout.write(`worker, round ${round} of ${rounds}\n`);
    pair.one.push(await deliver());
    const second = await stack.startPart('worker', environment);
    // A new process compiles its code during its first deliveries.
    await deliverBacklog(projects, receiver, events / 4, DATA);
    pair.two.push(await deliver());
    await end(second);
  }
  await end(first);
  return pair;
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function reportPair(label: string, part: string, { one, two }: Pair, atLeast: number): void {
  reportFigure(`${label}, one ${part}`, one);
  reportFigure(`${label}, two ${part}s`, two);
  checkFigure(`RATIO two ${part}s ÷ one`, ratiosOf(two, one), { atLeast });
}
