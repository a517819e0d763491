import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/db';
import { readArguments } from './support/bench-arguments';
import {
  type PacedSender,
  type Receiver,
  requireAllAccepted,
  startChild,
  startPacedSender,
  startReceiver,
} from './support/children';
import { checkFigure, checkValue, compareArrivals, quantile, ratiosOf, reportFigure, say } from './support/figures';
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
const PER_SECOND = 200;
const DRAIN_LIMIT_MS = 10_000;
const SETTLE_MS = 500;
const FULL = { rounds: 3, warmUpMs: 5_000, roundMs: 30_000, baselineMs: 10_000, idleMs: 30_000 };
const QUICK = { rounds: 1, warmUpMs: 2_000, roundMs: 8_000, baselineMs: 4_000, idleMs: 15_000 };

interface Round {
  /** CPU per event, and per operation of the baseline, in milliseconds. */
  cpuMs: ByPart;
  baselineMs: number;
  latenciesMs: number[];
  answersMs: number[];
}

/**
 * The cost of `npm start` at rest and under a light, steady load: CPU per event by part, compared with the CPU of a committed
 * INSERT in the same run; memory; and the latency of events. Linux only.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick } = readArguments(args);
  const lengths = isQuick ? QUICK : FULL;
  const product = await launchBenchProduct();
  const receiver = await startReceiver('ok', { ports: PROJECTS });
  const sender = await startPacedSender();
  let baseline: CpuBaseline | undefined;
  try {
    const idle = await measureIdle(product.pid, lengths.idleMs);
    baseline = await startCpuBaseline();
    const keys = (await seedTenants(receiver.ready.ports)).map(({ key }) => key);
    await closeDatabase();
    const rounds: Round[] = [];
    for (let round = 1; round <= lengths.rounds; round++) {
      say(`round ${round} of ${lengths.rounds}`);
      const baselineMs = await baseline.measure(PER_SECOND, lengths.baselineMs);
      await sender.run({ port: product.port, keys, perSecond: PER_SECOND, ms: lengths.warmUpMs });
      await sleep(SETTLE_MS);
      rounds.push({ ...(await runRound(product, receiver, sender, keys, lengths.roundMs)), baselineMs });
    }
    reportIdle(idle, lengths.idleMs);
    reportRounds(rounds);
  } finally {
    await baseline?.stop();
    await product.stop();
  }
}

async function runRound(
  product: BenchProduct,
  receiver: Receiver,
  sender: PacedSender,
  keys: string[],
  ms: number,
): Promise<Omit<Round, 'baselineMs'>> {
  await receiver.ask('reset');
  const before = cpuMsByPart(product.pid);
  const accepted = requireAllAccepted(await sender.run({ port: product.port, keys, perSecond: PER_SECOND, ms }));
  const drainEnd = performance.now() + DRAIN_LIMIT_MS;
  while ((await receiver.ask('count')).events < accepted.length && performance.now() < drainEnd) await sleep(50);
  // The worker records the last results.
  await sleep(SETTLE_MS);
  const used = differenceByPart(before, cpuMsByPart(product.pid));
  const { latenciesMs, missing } = compareArrivals(accepted, new Map((await receiver.ask('times')).seen));
  if (missing.length > 0) throw new Error(`${missing.length} of ${accepted.length} events did not arrive`);
  return {
    cpuMs: fromParts((part) => used[part] / accepted.length),
    latenciesMs,
    answersMs: accepted.map(([, firstAt, acceptedAt]) => acceptedAt - firstAt),
  };
}

function reportIdle({ cpuShare, pssMib }: IdleCost, idleMs: number): void {
  const parts = PARTS.map((part) => `${part} ${pssMib[part].toFixed(0)}`).join(', ');
  checkValue('idle memory without PostgreSQL', totalOf(pssMib) - pssMib.postgres, { atMost: 220 }, ' MiB');
  say(`  PSS ${idleMs / 1_000} s after the start, in MiB: ${parts}`);
  const percent = (share: number) => (share * 100).toFixed(2);
  const shares = PARTS.map((part) => `${part} ${percent(cpuShare[part])}`).join(', ');
  say(`idle CPU, in % of a core: ${percent(totalOf(cpuShare))}: ${shares}`);
}

function reportRounds(rounds: readonly Round[]): void {
  const cpuMs = rounds.map((round) => totalOf(round.cpuMs));
  const baselineMs = rounds.map((round) => round.baselineMs);
  const at = (key: 'latenciesMs' | 'answersMs', q: number) => rounds.map((round) => quantile(round[key], q));
  checkFigure(`CPU per event at ${PER_SECOND}/s, all processes`, cpuMs, { atMost: 2.5 }, ' ms');
  for (const part of PARTS) {
    const ofPart = rounds.map((round) => round.cpuMs[part]);
    reportFigure(`  ${part}`, ofPart, ' ms');
  }
  reportFigure(`baseline: CPU per committed INSERT at ${PER_SECOND}/s`, baselineMs, ' ms');
  reportFigure('RATIO CPU per event ÷ baseline', ratiosOf(cpuMs, baselineMs));
  reportFigure('202 to receiver, p50', at('latenciesMs', 0.5), ' ms');
  checkFigure('202 to receiver, p95', at('latenciesMs', 0.95), { atMost: 8 }, ' ms');
  reportFigure('202 to receiver, worst', at('latenciesMs', 1), ' ms');
  reportFigure('POST to 202, p50', at('answersMs', 0.5), ' ms');
  reportFigure('POST to 202, p95', at('answersMs', 0.95), ' ms');
}

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

const WARM_UP_MS = 1_000;

/** The cost of known work on this machine, so that runs on different machines can be compared. */
interface CpuBaseline {
  /** Returns the CPU of one committed INSERT, client and PostgreSQL together, in milliseconds. */
  measure(perSecond: number, ms: number): Promise<number>;
  stop(): Promise<void>;
}

/** Uses a separate PostgreSQL with the product's settings, so that none of the product's work counts. */
async function startCpuBaseline(): Promise<CpuBaseline> {
  const { databaseUrl, pid, stop } = await startDatabase();
  const client = await startChild<string, { operations: number; cpuMs: number }>(
    'scripts/bench/support/paced-inserter.mjs',
    [databaseUrl],
  );
  return {
    async measure(perSecond, ms) {
      await client.ask({ perSecond, ms: WARM_UP_MS });
      const before = cpuMsByPart(pid).postgres;
      const { operations, cpuMs } = await client.ask({ perSecond, ms });
      return (cpuMs + cpuMsByPart(pid).postgres - before) / operations;
    },
    async stop() {
      client.stop();
      await stop();
    },
  };
}
