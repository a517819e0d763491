import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { database } from '@/lib/platform/db';
import { readArguments } from './support/bench-arguments';
import { type Receiver, startReceiver } from './support/children';
import { deliverBacklog } from './support/delivery-load';
import { checkFigure, ratiosOf, reportFigure, say } from './support/figures';
import { httpRequest, loadHttp, requireAccepted } from './support/http-load';
import { seedProject, seedTenants } from './support/seed';
import { type Stack, withStack } from './support/stack';

const FULL = { rounds: 5, webMs: 6_000, events: 20_000, slowEvents: 4_000 };
const QUICK = { rounds: 2, webMs: 2_000, events: 4_000, slowEvents: 1_000 };
type Lengths = typeof FULL;

const CONNECTIONS = 64;
const PROJECTS = 10;
/** Receivers that take their time: a worker then waits, and its slots are the limit, not the processor. */
const SLOW_MS = 50;
const SLOW_SLOTS = '20';
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
  await withStack(async (stack) => {
    const webs = await measureWebs(stack, lengths);
    reportPair('events/s over HTTP', 'web', webs, SHARED_CORES);
    const quick = await startReceiver('http');
    const slow = await startReceiver('http', { delayMs: SLOW_MS });
    const workers = await measureWorkers(stack, quick, { ...lengths, environment: {} });
    reportPair('deliveries/s, limited by the processor', 'worker', workers, SHARED_CORES);
    const waiting = { ...lengths, events: lengths.slowEvents, environment: { DELIVERY_CONCURRENCY: SLOW_SLOTS } };
    reportPair(`deliveries/s to ${SLOW_MS} ms receivers`, 'worker', await measureWorkers(stack, slow, waiting), 1.6);
  });
}

/** The same number of connections goes to one process, or half to each. */
async function measureWebs(stack: Stack, { rounds, webMs }: Lengths): Promise<Pair> {
  const { key } = await seedProject();
  const webs = [await stack.startWeb(), await stack.startWeb()];
  const ports = webs.map(({ port }) => port);
  const body = `{"type":"order.paid","data":${DATA}}`;
  const request = httpRequest('POST', '/api/v1/events', { 'Content-Type': 'application/json', 'X-API-Key': key }, body);
  const load = async (used: readonly number[], ms: number) => {
    const share = CONNECTIONS / used.length;
    const results = await Promise.all(used.map((port) => loadHttp(port, request, share, ms)));
    await database().query('TRUNCATE outbox, events CASCADE');
    return results.map(requireAccepted).reduce((sum, { perSecond }) => sum + perSecond, 0);
  };
  await load(ports, 2_000);
  const pair: Pair = { one: [], two: [] };
  for (let round = 1; round <= rounds; round++) {
    say(`web, round ${round} of ${rounds}`);
    pair.one.push(await load(ports.slice(0, 1), webMs));
    pair.two.push(await load(ports, webMs));
  }
  await Promise.all(webs.map(({ web }) => end(web)));
  return pair;
}

interface WorkerLoad extends Lengths {
  environment: Record<string, string>;
}

async function measureWorkers(
  stack: Stack,
  receiver: Receiver,
  { rounds, events, environment }: WorkerLoad,
): Promise<Pair> {
  const projects = await seedTenants(Array(PROJECTS).fill(receiver.ready.ports[0]));
  const first = await stack.startPart('worker', environment);
  const deliver = () => deliverBacklog(projects, receiver, events, DATA);
  await deliver();
  const pair: Pair = { one: [], two: [] };
  for (let round = 1; round <= rounds; round++) {
    say(`worker, round ${round} of ${rounds}`);
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
