import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/db';
import { ratiosOf, reportAim, reportFigure, reportOnce } from './support/aims';
import { readArguments } from './support/bench-arguments';
import { type IdleCost, measureIdle } from './support/idle-cost';
import { type KnownProduct, launchKnownProduct } from './support/known-product';
import { type PacedSender, requireAllAccepted, startPacedSender } from './support/paced-sender';
import { type ByPart, cpuMsByPart, fromParts, gainByPart, totalOf } from './support/process-costs';
import { PARTS } from './support/process-family';
import { type RawReceiver, startRawReceiver } from './support/raw-receiver';
import { seedTenants } from './support/seed-endpoints';
import { quantile } from './support/stats';
import { waitsOf } from './support/waits';
import { startYardstick, type Yardstick } from './support/yardstick';

const [PROJECTS, PER_SECOND, DRAIN_LIMIT_MS, SETTLE_MS] = [10, 200, 10_000, 500];
const FULL = { rounds: 3, warmUpMs: 5_000, roundMs: 30_000, yardstickMs: 10_000, idleMs: 30_000 };
const QUICK = { rounds: 1, warmUpMs: 2_000, roundMs: 8_000, yardstickMs: 4_000, idleMs: 15_000 };

interface Round {
  /** CPU per event and per operation of the yardstick, in milliseconds. */
  cpuMs: ByPart;
  yardstickMs: number;
  waitsMs: number[];
  answersMs: number[];
}

/**
 * What `npm start` costs at rest and under a light, even load: CPU per event by part, beside what a committed INSERT costs
 * in the same run; memory; and how long events take. Linux only.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick } = readArguments(args);
  const lengths = isQuick ? QUICK : FULL;
  const product = await launchKnownProduct();
  const [receiver, sender] = [await startRawReceiver('ok', PROJECTS), startPacedSender()];
  let yardstick: Yardstick | undefined;
  try {
    const idle = await measureIdle(product.pid, lengths.idleMs);
    yardstick = await startYardstick();
    const keys = (await seedTenants(receiver.ports)).map(({ key }) => key);
    await closeDatabase();
    const rounds: Round[] = [];
    for (let round = 1; round <= lengths.rounds; round++) {
      process.stdout.write(`round ${round} of ${lengths.rounds}\n`);
      const yardstickMs = await yardstick.measure(PER_SECOND, lengths.yardstickMs);
      await sender.run({ port: product.port, keys, perSecond: PER_SECOND, ms: lengths.warmUpMs });
      await sleep(SETTLE_MS);
      rounds.push({ ...(await runRound(product, receiver, sender, keys, lengths.roundMs)), yardstickMs });
    }
    reportIdle(idle, lengths.idleMs);
    reportRounds(rounds);
  } finally {
    receiver.stop();
    sender.stop();
    await yardstick?.stop();
    await product.stop();
  }
}

async function runRound(
  product: KnownProduct,
  receiver: RawReceiver,
  sender: PacedSender,
  keys: string[],
  ms: number,
): Promise<Omit<Round, 'yardstickMs'>> {
  await receiver.ask('reset');
  const before = cpuMsByPart(product.pid);
  const accepted = requireAllAccepted(await sender.run({ port: product.port, keys, perSecond: PER_SECOND, ms }));
  const drainEnd = performance.now() + DRAIN_LIMIT_MS;
  while ((await receiver.ask('count')).events < accepted.length && performance.now() < drainEnd) await sleep(50);
  // Time for the last results to be recorded.
  await sleep(SETTLE_MS);
  const used = gainByPart(before, cpuMsByPart(product.pid));
  const { waitsMs, missing } = waitsOf(accepted, new Map((await receiver.ask('times')).seen));
  if (missing.length > 0) throw new Error(`${missing.length} of ${accepted.length} events did not come`);
  return {
    cpuMs: fromParts((part) => used[part] / accepted.length),
    waitsMs,
    answersMs: accepted.map(([, firstAt, acceptedAt]) => acceptedAt - firstAt),
  };
}

function reportIdle({ cpuShare, pssMib }: IdleCost, idleMs: number): void {
  const parts = PARTS.map((part) => `${part} ${pssMib[part].toFixed(0)}`).join(', ');
  reportOnce('idle memory without PostgreSQL', totalOf(pssMib) - pssMib.postgres, { atMost: 220 }, ' MiB');
  process.stdout.write(`  PSS ${idleMs / 1_000} s after the start, in MiB: ${parts}\n`);
  const percent = (share: number) => (share * 100).toFixed(2);
  const shares = PARTS.map((part) => `${part} ${percent(cpuShare[part])}`).join(', ');
  process.stdout.write(`idle CPU, in % of a core: ${percent(totalOf(cpuShare))}: ${shares}\n`);
}

function reportRounds(rounds: readonly Round[]): void {
  const cpuMs = rounds.map((round) => totalOf(round.cpuMs));
  const yardstickMs = rounds.map((round) => round.yardstickMs);
  const at = (key: 'waitsMs' | 'answersMs', q: number) => rounds.map((round) => quantile(round[key], q));
  reportAim(`CPU per event at ${PER_SECOND}/s, all processes`, cpuMs, { atMost: 2.5 }, ' ms');
  for (const part of PARTS) {
    const ofPart = rounds.map((round) => round.cpuMs[part]);
    reportFigure(`  ${part}`, ofPart, ' ms');
  }
  reportFigure(`yardstick: CPU per committed INSERT at ${PER_SECOND}/s`, yardstickMs, ' ms');
  reportFigure('RATIO CPU per event ÷ yardstick', ratiosOf(cpuMs, yardstickMs));
  reportFigure('202 to receiver, p50', at('waitsMs', 0.5), ' ms');
  reportAim('202 to receiver, p95', at('waitsMs', 0.95), { atMost: 8 }, ' ms');
  reportFigure('202 to receiver, worst', at('waitsMs', 1), ' ms');
  reportFigure('POST to 202, p50', at('answersMs', 0.5), ' ms');
  reportFigure('POST to 202, p95', at('answersMs', 0.95), ' ms');
}
