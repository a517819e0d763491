import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/db';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import { readArguments } from './support/bench-arguments';
import { type BenchProduct, launchBenchProduct } from './support/bench-product';
import { compareArrivals, quantile } from './support/latencies';
import { type PacedSender, requireAllAccepted, startPacedSender } from './support/paced-sender';
import {
  type ByPart,
  cpuMsByPart,
  differenceByPart,
  fromParts,
  PARTS,
  pssMibByPart,
  totalOf,
} from './support/process-cost';
import { type RawReceiver, startRawReceiver } from './support/raw-receiver';
import { checkFigure, checkValue, ratiosOf, reportFigure } from './support/report';
import { seedTenants } from './support/seed';

const [PROJECTS, PER_SECOND, DRAIN_LIMIT_MS, SETTLE_MS] = [10, 200, 10_000, 500];
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
  const [receiver, sender] = [await startRawReceiver('ok', PROJECTS), startPacedSender()];
  let baseline: CpuBaseline | undefined;
  try {
    const idle = await measureIdle(product.pid, lengths.idleMs);
    baseline = await startCpuBaseline();
    const keys = (await seedTenants(receiver.ports)).map(({ key }) => key);
    await closeDatabase();
    const rounds: Round[] = [];
    for (let round = 1; round <= lengths.rounds; round++) {
      process.stdout.write(`round ${round} of ${lengths.rounds}\n`);
      const baselineMs = await baseline.measure(PER_SECOND, lengths.baselineMs);
      await sender.run({ port: product.port, keys, perSecond: PER_SECOND, ms: lengths.warmUpMs });
      await sleep(SETTLE_MS);
      rounds.push({ ...(await runRound(product, receiver, sender, keys, lengths.roundMs)), baselineMs });
    }
    reportIdle(idle, lengths.idleMs);
    reportRounds(rounds);
  } finally {
    receiver.stop();
    sender.stop();
    await baseline?.stop();
    await product.stop();
  }
}

async function runRound(
  product: BenchProduct,
  receiver: RawReceiver,
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
  process.stdout.write(`  PSS ${idleMs / 1_000} s after the start, in MiB: ${parts}\n`);
  const percent = (share: number) => (share * 100).toFixed(2);
  const shares = PARTS.map((part) => `${part} ${percent(cpuShare[part])}`).join(', ');
  process.stdout.write(`idle CPU, in % of a core: ${percent(totalOf(cpuShare))}: ${shares}\n`);
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

/** Latencies for `afterMs` after the start and measures the last ten seconds of it. */
async function measureIdle(pid: number, afterMs: number): Promise<IdleCost> {
  await sleep(afterMs - WATCHED_MS);
  const before = cpuMsByPart(pid);
  await sleep(WATCHED_MS);
  const used = differenceByPart(before, cpuMsByPart(pid));
  const cpuShare = Object.fromEntries(Object.entries(used).map(([part, ms]) => [part, ms / WATCHED_MS])) as ByPart;
  return { cpuShare, pssMib: pssMibByPart(pid) };
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
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-baseline-'));
  chmodSync(dataDir, 0o711);
  const cluster = await prepareCluster({ dataDir });
  const server = cluster.start();
  await Promise.race([server.ready, server.exited.then(({ lastLine }) => Promise.reject(new Error(lastLine)))]);
  const client = fork('scripts/bench/support/paced-inserter.mjs', [cluster.databaseUrl]);
  await once(client, 'message');
  const insert = async (perSecond: number, ms: number) => {
    const answered = once(client, 'message');
    client.send({ perSecond, ms });
    return (await answered)[0] as { operations: number; cpuMs: number };
  };
  return {
    async measure(perSecond, ms) {
      await insert(perSecond, WARM_UP_MS);
      const before = cpuMsByPart(server.pid ?? 0).postgres;
      const { operations, cpuMs } = await insert(perSecond, ms);
      return (cpuMs + cpuMsByPart(server.pid ?? 0).postgres - before) / operations;
    },
    async stop() {
      client.kill('SIGKILL');
      server.stop();
      await server.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
