import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { closeDatabase } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { readArguments } from './support/bench-arguments';
import { FailingTenants, sendAsNewTenants } from './support/failing-tenants';
import { allLatencies, compareArrivals, describeSpread, type Latencies, quantile } from './support/latencies';
import { type AcceptedEvent, requireAllAccepted, startPacedSender } from './support/paced-sender';
import { residentMb } from './support/process-cost';
import { type RawReceiver, startRawReceiver } from './support/raw-receiver';
import { checkValue } from './support/report';
import { localWebhookUrl, seedTenant } from './support/seed';
import { startStack } from './support/stack';

const PER_SECOND = 20;
const FULL = { warmUpMs: 5_000, aloneMs: 20_000, besideMs: 60_000, drainMs: 10_000 };
const QUICK = { warmUpMs: 2_000, aloneMs: 8_000, besideMs: 20_000, drainMs: 5_000 };

/**
 * The latency of a healthy tenant's events from 202 to the receiver, first alone, then with other tenants that have 1,600 endpoints
 * that hang or fail; and the latency of the first event of new tenants meanwhile.
 */
export async function main(args: string[]): Promise<void> {
  const lengths = readArguments(args).isQuick ? QUICK : FULL;
  const stack = await startStack();
  const sender = startPacedSender();
  const newTenantCount = lengths.besideMs / 1_000;
  const receiver = await startRawReceiver('ok', 1 + newTenantCount);
  const [healthyPort = 0, ...newTenantPorts] = receiver.ports;
  const failingTenants = await FailingTenants.seed();
  const port = await findFreePort();
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 });
  try {
    const { key } = await seedTenant([localWebhookUrl(healthyPort)]);
    await stack.startPart('web', { PORT: String(port) });
    const worker = await stack.startPart('worker');
    const send = async (ms: number) =>
      requireAllAccepted(await sender.run({ port, keys: [key], perSecond: PER_SECOND, ms }));
    await send(lengths.warmUpMs);
    process.stdout.write(`alone, ${lengths.aloneMs / 1_000} s\n`);
    const alone = await awaitArrivals(await send(lengths.aloneMs), receiver, lengths.drainMs);
    process.stdout.write(`beside failing endpoints, ${lengths.besideMs / 1_000} s\n`);
    failingTenants.start(pool);
    const [sent, first] = await Promise.all([send(lengths.besideMs), sendAsNewTenants(pool, newTenantPorts)]);
    const beside = await awaitArrivals(sent, receiver, lengths.drainMs);
    const newTenants = await awaitArrivals(first, receiver, 0);
    process.stdout.write(`failing endpoints: ${await failingTenants.describe()}\n`);
    report(alone, beside, newTenants);
    process.stdout.write(`worker's peak memory: ${residentMb(worker.pid, 'VmHWM').toFixed(0)} MB\n`);
  } finally {
    for (const each of [receiver, sender]) each.stop();
    await failingTenants.stop();
    await pool.destroy();
    await closeDatabase();
    await stack.stop();
  }
}

/** Latencies up to `waitMs` for the events to arrive; the load continues. */
async function awaitArrivals(
  sent: readonly AcceptedEvent[],
  receiver: RawReceiver,
  waitMs: number,
): Promise<Latencies> {
  for (const end = performance.now() + waitMs; ; await sleep(200)) {
    const latencies = compareArrivals(sent, new Map((await receiver.ask('times')).seen));
    if (latencies.missing.length === 0 || performance.now() >= end) return latencies;
  }
}

function report(alone: Latencies, beside: Latencies, newTenants: Latencies): void {
  for (const [label, latencies] of Object.entries({ alone, beside, 'new tenants': newTenants })) {
    const all = allLatencies(latencies);
    process.stdout.write(`202 to receiver, ${label.padEnd(11)} ${describeSpread(all)} (${all.length} events)\n`);
  }
  const [p95Beside, p95Alone] = [quantile(allLatencies(beside), 0.95), quantile(allLatencies(alone), 0.95)];
  checkValue('RATIO p95 beside ÷ alone', p95Beside / p95Alone, { atMost: 2 });
  checkValue('healthy events undelivered at the end', alone.missing.length + beside.missing.length, { atMost: 0 });
  checkValue('events of new tenants undelivered at the end', newTenants.missing.length, { atMost: 0 });
}
