import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { readArguments } from './support/bench-arguments';
import {
  type AcceptedEvent,
  type Receiver,
  requireAllAccepted,
  startPacedSender,
  startReceiver,
} from './support/children';
import { seedFailingTenants, sendAsNewTenants } from './support/failing-tenants';
import {
  allLatencies,
  checkValue,
  compareArrivals,
  describeSpread,
  type Latencies,
  quantile,
  say,
} from './support/figures';
import { residentMb } from './support/process-cost';
import { localWebhookUrl, seedTenant } from './support/seed';
import { withStack } from './support/stack';

const PER_SECOND = 20;
const FULL = { warmUpMs: 5_000, aloneMs: 20_000, besideMs: 60_000, drainMs: 10_000 };
const QUICK = { warmUpMs: 2_000, aloneMs: 8_000, besideMs: 20_000, drainMs: 5_000 };

/**
 * The latency of a healthy tenant's events from 202 to the receiver, first alone, then with other tenants that have 1,600 endpoints
 * that hang or fail; and the latency of the first event of new tenants meanwhile.
 */
export async function main(args: string[]): Promise<void> {
  const lengths = readArguments(args).isQuick ? QUICK : FULL;
  await withStack(async (stack) => {
    const sender = await startPacedSender();
    const newTenantCount = lengths.besideMs / 1_000;
    const receiver = await startReceiver('ok', { ports: 1 + newTenantCount });
    const [healthyPort = 0, ...newTenantPorts] = receiver.ready.ports;
    const failingTenants = await seedFailingTenants();
    const { key } = await seedTenant([localWebhookUrl(healthyPort)]);
    const { port, origin } = await stack.startWeb();
    const pool = new Pool(origin, { connections: 32 });
    const worker = await stack.startPart('worker');
    const send = async (ms: number) =>
      requireAllAccepted(await sender.run({ port, keys: [key], perSecond: PER_SECOND, ms }));
    await send(lengths.warmUpMs);
    say(`alone, ${lengths.aloneMs / 1_000} s`);
    const alone = await awaitArrivals(await send(lengths.aloneMs), receiver, lengths.drainMs);
    say(`beside failing endpoints, ${lengths.besideMs / 1_000} s`);
    failingTenants.start(pool);
    const [sent, first] = await Promise.all([send(lengths.besideMs), sendAsNewTenants(pool, newTenantPorts)]);
    const beside = await awaitArrivals(sent, receiver, lengths.drainMs);
    const newTenants = await awaitArrivals(first, receiver, 0);
    say(`failing endpoints: ${await failingTenants.describe()}`);
    report(alone, beside, newTenants);
    say(`worker's peak memory: ${residentMb(worker.pid, 'VmHWM').toFixed(0)} MB`);
  });
}

/** Waits up to `waitMs` for the events to arrive; the load continues. */
async function awaitArrivals(sent: readonly AcceptedEvent[], receiver: Receiver, waitMs: number): Promise<Latencies> {
  for (const end = performance.now() + waitMs; ; await sleep(200)) {
    const latencies = compareArrivals(sent, new Map((await receiver.ask('times')).seen));
    if (latencies.missing.length === 0 || performance.now() >= end) return latencies;
  }
}

function report(alone: Latencies, beside: Latencies, newTenants: Latencies): void {
  for (const [label, latencies] of Object.entries({ alone, beside, 'new tenants': newTenants })) {
    const all = allLatencies(latencies);
    say(`202 to receiver, ${label.padEnd(11)} ${describeSpread(all)} (${all.length} events)`);
  }
  const [p95Beside, p95Alone] = [quantile(allLatencies(beside), 0.95), quantile(allLatencies(alone), 0.95)];
  checkValue('RATIO p95 beside ÷ alone', p95Beside / p95Alone, { atMost: 2 });
  checkValue('healthy events undelivered at the end', alone.missing.length + beside.missing.length, { atMost: 0 });
  checkValue('events of new tenants undelivered at the end', newTenants.missing.length, { atMost: 0 });
}
