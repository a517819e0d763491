import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/db';
import { readArguments } from './support/bench-arguments';
import {
  type PacedSender,
  type Receiver,
  type Run,
  requireAllAccepted,
  startChild,
  startPacedSender,
  startReceiver,
} from './support/children';
import { checkFigure, checkValue, quantile, ratiosOf, reportFigure, say } from './support/figures';
import { httpRequest, loadHttp, requireAccepted } from './support/http-load';
import {
  type ByPart,
  cpuMsByPart,
  differenceByPart,
  fromParts,
  PARTS,
  pssMibByPart,
  totalOf,
} from './support/process-cost';
import { seedTenants } from './support/seed';
import { type BenchProduct, launchBenchProduct, startDatabase } from './support/stack';

const PROJECTS = 10;
/** The rate that has targets. */
const LIGHT = 200;
const RATES = [20, LIGHT, 1_000];
const BYTES = 1_024;
const CONNECTIONS = 64;
const DRAIN_LIMIT_MS = 10_000;
const SETTLE_MS = 500;
const FULL = { rounds: 3, warmUpMs: 5_000, roundMs: 20_000, limitMs: 10_000, idleMs: 30_000, fullMs: 15_000 };
const QUICK = { rounds: 1, warmUpMs: 2_000, roundMs: 8_000, limitMs: 4_000, idleMs: 15_000, fullMs: 5_000 };

/** From the request to the 202, and to the first byte at the receiver, in milliseconds. */
interface Arrivals {
  answersMs: number[];
  arrivalsMs: number[];
}

interface Round extends Arrivals {
  /** CPU per event, in milliseconds. */
  cpuMs: ByPart;
}

/** The least that the same work can cost on this machine, at the rate of LIGHT. CPU is that of Node and PostgreSQL. */
interface Limit extends Arrivals {
  /** CPU per committed INSERT. */
  insertMs: number;
  /** CPU per event of a server that only commits it, posts it and records the result. */
  relayMs: number;
}

/**
 * The cost of `npm start` at rest and under a steady load of 1 KiB events: the time from sending an event to its 202 and to its
 * receiver, and CPU by part, beside the limit in the same run; memory at rest and under full load. Linux only.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick } = readArguments(args);
  const lengths = isQuick ? QUICK : FULL;
  const product = await launchBenchProduct();
  const receiver = await startReceiver('ok', { ports: PROJECTS });
  const sender = await startPacedSender();
  let limit: LimitMeter | undefined;
  try {
    const idle = await measureIdle(product.pid, lengths.idleMs);
    limit = await startLimit(sender, receiver);
    const keys = (await seedTenants(receiver.ready.ports)).map(({ key }) => key);
    await closeDatabase();
    const limits: Limit[] = [];
    const rounds = new Map<number, Round[]>(RATES.map((rate) => [rate, []]));
    for (let round = 1; round <= lengths.rounds; round++) {
      say(`round ${round} of ${lengths.rounds}`);
      limits.push(await limit.measure(lengths.limitMs));
      for (const [perSecond, ofRate] of rounds) {
        await sender.run({ port: product.port, keys, perSecond, ms: lengths.warmUpMs, bytes: BYTES });
        await sleep(SETTLE_MS);
        ofRate.push(await runRound(product, receiver, sender, { keys, perSecond, ms: lengths.roundMs }));
      }
    }
    const peak = await measurePeak(product, keys[0] ?? '', lengths.fullMs);
    reportLimit(limits);
    for (const [rate, ofRate] of rounds) {
      reportRate(rate, ofRate, limits);
    }
    reportMemory(`idle, ${lengths.idleMs / 1_000} s after the start`, idle.pssMib, 220);
    reportMemory(`peak under full load, ${CONNECTIONS} connections`, peak, 350);
    const shares = PARTS.map((part) => `${part} ${percent(idle.cpuShare[part])}`).join(', ');
    say(`idle CPU, in % of a core: ${percent(totalOf(idle.cpuShare))}: ${shares}`);
  } finally {
    await limit?.stop();
    await product.stop();
  }
}

async function runRound(
  product: BenchProduct,
  receiver: Receiver,
  sender: PacedSender,
  { keys, perSecond, ms }: { keys: string[]; perSecond: number; ms: number },
): Promise<Round> {
  const run = { port: product.port, keys, perSecond, ms, bytes: BYTES };
  const { cpuMs, ...arrivals } = await sendCounting(sender, receiver, run, () => cpuMsByPart(product.pid));
  return { cpuMs, ...arrivals };
}

/** Sends until all events arrived and their results are recorded. @param readCpu the CPU time so far */
async function sendCounting(sender: PacedSender, receiver: Receiver, run: Run, readCpu: () => ByPart): Promise<Round> {
  await receiver.ask('reset');
  const before = readCpu();
  const accepted = requireAllAccepted(await sender.run(run));
  const drainEnd = performance.now() + DRAIN_LIMIT_MS;
  while ((await receiver.ask('count')).events < accepted.length && performance.now() < drainEnd) await sleep(50);
  await sleep(SETTLE_MS);
  const used = differenceByPart(before, readCpu());
  const seen = new Map((await receiver.ask('times')).seen);
  const missing = accepted.filter(([id]) => !seen.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} of ${accepted.length} events did not arrive`);
  return {
    cpuMs: fromParts((part) => used[part] / accepted.length),
    answersMs: accepted.map(([, firstAt, acceptedAt]) => acceptedAt - firstAt),
    arrivalsMs: accepted.map(([id, firstAt]) => (seen.get(id) ?? Number.NaN) - firstAt),
  };
}

function reportRate(perSecond: number, rounds: readonly Round[], limits: readonly Limit[]): void {
  const isTarget = perSecond === LIGHT;
  const report = (label: string, values: readonly number[], atMost: number, unit = ' ms') =>
    isTarget ? checkFigure(label, values, { atMost }, unit) : reportFigure(label, values, unit);
  const cpuMs = rounds.map((round) => totalOf(round.cpuMs));
  const perLimit = (key: 'insertMs' | 'relayMs') =>
    ratiosOf(
      cpuMs,
      limits.map((limit) => limit[key]),
    );
  say(`at ${perSecond}/s`);
  report('  request to 202, p50', quantiles(rounds, 'answersMs', 0.5), 2);
  report('  request to 202, p95', quantiles(rounds, 'answersMs', 0.95), 5);
  report('  request to receiver, p50', quantiles(rounds, 'arrivalsMs', 0.5), 4);
  report('  request to receiver, p95', quantiles(rounds, 'arrivalsMs', 0.95), 8);
  reportFigure('  CPU per event, all processes', cpuMs, ' ms');
  report('  RATIO CPU per event ÷ committed INSERT', perLimit('insertMs'), 2, '');
  reportFigure('  RATIO CPU per event ÷ least relay', perLimit('relayMs'));
  for (const part of PARTS) {
    const ofPart = rounds.map((round) => round.cpuMs[part]);
    reportFigure(`    ${part}`, ofPart, ' ms');
  }
}

function reportLimit(limits: readonly Limit[]): void {
  say(`limit, at ${LIGHT}/s: a server that only commits an event, posts it and records the result`);
  for (const q of [0.5, 0.95]) {
    reportFigure(`  request to 202, p${q * 100}`, quantiles(limits, 'answersMs', q), ' ms');
    reportFigure(`  request to receiver, p${q * 100}`, quantiles(limits, 'arrivalsMs', q), ' ms');
  }
  const cpu = (key: 'insertMs' | 'relayMs') => limits.map((limit) => limit[key]);
  reportFigure('  CPU per event', cpu('relayMs'), ' ms');
  reportFigure('  CPU per committed INSERT', cpu('insertMs'), ' ms');
}

function quantiles(rounds: readonly Arrivals[], key: keyof Arrivals, q: number): number[] {
  return rounds.map((round) => quantile(round[key], q));
}

function reportMemory(label: string, pssMib: ByPart, atMost: number): void {
  checkValue(`PSS without PostgreSQL, ${label}`, totalOf(pssMib) - pssMib.postgres, { atMost }, ' MiB');
  say(`    ${PARTS.map((part) => `${part} ${pssMib[part].toFixed(0)}`).join(', ')}`);
}

const percent = (share: number) => (share * 100).toFixed(2);

const WATCHED_MS = 10_000;

/** CPU and memory of an idle product. */
interface IdleCost {
  /** CPU as a share of one core (1 is a full core). */
  cpuShare: ByPart;
  pssMib: ByPart;
}

/** Waits for `afterMs` after the start and measures the last ten seconds of it. */
async function measureIdle(pid: number, afterMs: number): Promise<IdleCost> {
  await sleep(afterMs - WATCHED_MS);
  const before = cpuMsByPart(pid);
  await sleep(WATCHED_MS);
  const used = differenceByPart(before, cpuMsByPart(pid));
  return { cpuShare: fromParts((part) => used[part] / WATCHED_MS), pssMib: pssMibByPart(pid) };
}

const PEAK_STEP_MS = 500;

/** Returns the memory at the moment of a full load when the processes had most. */
async function measurePeak({ pid, port }: BenchProduct, key: string, ms: number): Promise<ByPart> {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
  const body = JSON.stringify({ type: 'order.paid', data: { note: 'x'.repeat(BYTES) } });
  const send = httpRequest('POST', '/api/v1/events', headers, body);
  let isOver = false;
  const load = loadHttp(port, send, CONNECTIONS, ms).finally(() => {
    isOver = true;
  });
  let peak = fromParts(() => 0);
  const own = (pss: ByPart) => totalOf(pss) - pss.postgres;
  while (!isOver) {
    const now = pssMibByPart(pid);
    if (own(now) > own(peak)) peak = now;
    await sleep(PEAK_STEP_MS);
  }
  requireAccepted(await load);
  return peak;
}

const WARM_UP_MS = 1_000;

/** The cost of the least work on this machine, so that runs on different machines can be compared. */
interface LimitMeter {
  measure(ms: number): Promise<Limit>;
  stop(): Promise<void>;
}

/** Uses a separate PostgreSQL with the product's settings, so that none of the product's work counts. */
async function startLimit(sender: PacedSender, receiver: Receiver): Promise<LimitMeter> {
  const { databaseUrl, pid, stop } = await startDatabase();
  const relay = await startChild<{ port: number }, { operations: number; cpuMs: number }>(
    'scripts/bench/support/plain-relay.mjs',
    [databaseUrl, ...receiver.ready.ports.map(String)],
  );
  const run = { port: relay.ready.port, keys: [''], perSecond: LIGHT, bytes: BYTES };
  return {
    async measure(ms) {
      await relay.ask({ perSecond: LIGHT, ms: WARM_UP_MS });
      const before = cpuMsByPart(pid).postgres;
      const { operations, cpuMs } = await relay.ask({ perSecond: LIGHT, ms });
      const insertMs = (cpuMs + cpuMsByPart(pid).postgres - before) / operations;
      await sender.run({ ...run, ms: WARM_UP_MS });
      const { cpuMs: ofRelay, ...arrivals } = await sendCounting(sender, receiver, { ...run, ms }, () => {
        const [ofNode, ofPostgres] = [cpuMsByPart(relay.pid), cpuMsByPart(pid)];
        return fromParts((part) => ofNode[part] + ofPostgres[part]);
      });
      return { insertMs, relayMs: totalOf(ofRelay), ...arrivals };
    },
    async stop() {
      relay.stop();
      await stop();
    },
  };
}
