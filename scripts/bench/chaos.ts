import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/db';
import { readArguments } from './support/bench-arguments';
import { type BenchProduct, launchBenchProduct } from './support/bench-product';
import { FreezingProxy } from './support/freezing-proxy';
import { FAULT_KINDS, type Fault, injectFaults, planFaults } from './support/inject-faults';
import { allLatencies, compareArrivals, describeSpread, formatMs, quantile } from './support/latencies';
import { type RunResult, startPacedSender } from './support/paced-sender';
import { PartTracker } from './support/part-tracker';
import { countPendingRows, explainMissing, type PendingRows } from './support/pending-rows';
import { type RawReceiver, type RawReport, startRawReceiver } from './support/raw-receiver';
import { measureRecoveries, type Recovery } from './support/recoveries';
import { checkValue } from './support/report';
import { seedTenants } from './support/seed';
import { SupervisedPostgres } from './support/supervised-postgres';

const [MINUTES, QUICK_MINUTES, MINUTE_MS] = [10, 1.5, 60_000];
const [PROJECTS, PER_SECOND, QUIET_LIMIT_MS] = [10, 100, 120_000];
const SENDER = { isRetrying: true, timeoutMs: 5_000, waitMs: QUIET_LIMIT_MS, connections: 1_000 };

/**
 * A steady load on `npm start` while its processes and its PostgreSQL are killed and its database connections freeze: every
 * event that got 202 must arrive, and recovery from each fault must be quick. The database is reached through a proxy.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick, minutes, seed: givenSeed, only } = readArguments(args);
  const ms = (minutes ?? (isQuick ? QUICK_MINUTES : MINUTES)) * MINUTE_MS;
  const seed = givenSeed ?? Date.now() % 1_000_000;
  const plan = planFaults(seed, ms, only);
  if (plan.length === 0) throw new TypeError(`${ms / MINUTE_MS} minutes are too short for one fault`);
  const postgres = await SupervisedPostgres.start();
  const proxy = await FreezingProxy.open(Number(new URL(postgres.databaseUrl).port));
  const viaProxy = new URL(postgres.databaseUrl);
  viaProxy.port = String(proxy.port);
  const product = await launchBenchProduct({ DATABASE_URL: viaProxy.href }, postgres.databaseUrl);
  const [receiver, sender] = [await startRawReceiver('ok', PROJECTS), startPacedSender()];
  const parts = new PartTracker(product.pid);
  const stopping = new AbortController();
  process.stdout.write(`${plan.length} faults in ${ms / MINUTE_MS} minutes, --seed ${seed}; log: ${product.logFile}\n`);
  try {
    const keys = (await seedTenants(receiver.ports)).map(({ key }) => key);
    await closeDatabase();
    const faults: Fault[] = [];
    const running = sender.run({ ...SENDER, port: product.port, keys, perSecond: PER_SECOND, ms });
    void injectFaults(plan, { proxy, postgres, parts }, faults, stopping.signal);
    void printProgress(receiver, faults, stopping.signal);
    const quietBy = performance.now() + ms + QUIET_LIMIT_MS;
    const sent = await Promise.race([running, rejectOnExit(product)]);
    stopping.abort();
    await waitForQuiet(receiver, sent.accepted.length, quietBy);
    const received = await receiver.ask('times');
    const recoveries = measureRecoveries(faults, sent.accepted, new Map(received.seen));
    const figures = { faultsPlanned: plan.length, recoveries, sent, received, left: await countPendingRows() };
    const missing = reportChaos(figures);
    for (const part of ['worker', 'web'] as const) {
      process.stdout.write(`${part}: ${parts.countRestarts(part)} restarts, ${parts.kills[part]} after a kill\n`);
    }
    if (missing.length > 0) process.stdout.write('missing events, as the database knows them:\n');
    for (const line of await explainMissing(missing)) process.stdout.write(`  ${line}\n`);
  } finally {
    stopping.abort();
    parts.stop();
    for (const each of [receiver, sender]) each.stop();
    await closeDatabase();
    await product.stop();
    await proxy.close();
    await postgres.stop();
  }
}

/** Latencies until every event has arrived and no work is pending. */
async function waitForQuiet(receiver: RawReceiver, events: number, until: number): Promise<void> {
  while (performance.now() < until) {
    const left = await countPendingRows();
    if (left.outbox + left.deliveries === 0 && (await receiver.ask('count')).events >= events) return;
    await sleep(500);
  }
}

async function printProgress(receiver: RawReceiver, faults: readonly Fault[], signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(MINUTE_MS / 2, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const { events } = await receiver.ask('count');
    process.stdout.write(`${faults.length} faults, ${events.toLocaleString('en-US')} events received\n`);
  }
}

async function rejectOnExit({ process: supervisor, logFile }: BenchProduct): Promise<never> {
  await once(supervisor, 'exit');
  throw new Error(`npm start gave up:\n${readFileSync(logFile, 'utf8').split('\n').slice(-10).join('\n')}`);
}

const [RECOVERY_TARGET_S, SLOW_SHOWN, MEANWHILE_SHOWN] = [15, 20, 5];

interface ChaosFigures {
  faultsPlanned: number;
  recoveries: Recovery[];
  sent: RunResult;
  received: RawReport;
  left: PendingRows;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Prints the figures. @returns the ids of the events that got 202 and did not arrive */
function reportChaos({ faultsPlanned, recoveries, sent, received, left }: ChaosFigures): string[] {
  checkValue('faults', recoveries.length, { atLeast: faultsPlanned });
  for (const kind of FAULT_KINDS) {
    const times = recoveries.filter((recovery) => recovery.kind === kind).map(({ recoveryMs }) => recoveryMs);
    if (times.length > 0)
      print(`  ${kind.padEnd(26)} ${String(times.length).padStart(3)}: recovery ${describeSpread(times)}`);
  }
  const worstS = quantile(
    recoveries.map(({ recoveryMs }) => recoveryMs / 1_000),
    1,
  );
  checkValue('worst recovery', worstS, { atMost: RECOVERY_TARGET_S }, ' s');
  const afterLastMs = recoveries.map(({ at, recoveryMs, meanwhile }) => at + recoveryMs - (meanwhile.at(-1)?.at ?? at));
  print(`  from the last fault before the recovery: ${describeSpread(afterLastMs)}`);
  const slow = recoveries.filter(({ recoveryMs }) => recoveryMs > RECOVERY_TARGET_S * 1_000);
  for (const recovery of slow.slice(0, SLOW_SHOWN)) print(describeSlow(recovery));
  const latencies = compareArrivals(sent.accepted, new Map(received.seen));
  print(`events with 202: ${sent.accepted.length}, without a response: ${sent.unanswered}, not sent: ${sent.skipped}`);
  print(`first POST to 202: ${describeSpread(sent.accepted.map(([, firstAt, acceptedAt]) => acceptedAt - firstAt))}`);
  print(`202 to receiver: ${describeSpread(allLatencies(latencies))}`);
  checkValue('events rejected for a reason other than a fault', Object.keys(sent.refused).length, { atMost: 0 });
  if (Object.keys(sent.refused).length > 0) print(`  ${JSON.stringify(sent.refused)}`);
  checkValue('events with 202 that did not arrive', latencies.missing.length, { atMost: 0 });
  const share = ((received.repeated / received.events) * 100).toFixed(2);
  print(`events received more than once: ${received.repeated} (${share} %), requests ${received.requests}`);
  checkValue('rows left in the outbox', left.outbox, { atMost: 0 });
  checkValue('deliveries left pending', left.deliveries, { atMost: 0 });
  return latencies.missing;
}

/** Describes a slow recovery and the faults during it. */
function describeSlow({ kind, at, recoveryMs, meanwhile }: Recovery): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const others = meanwhile
    .slice(0, MEANWHILE_SHOWN)
    .map((other) => `${other.kind} after ${((other.at - at) / 1_000).toFixed(1)} s`);
  return [`  ${time} ${kind}: ${formatMs(recoveryMs)}`, ...others].join(', ');
}
