import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { closeDatabase } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { reportOnce } from './support/aims';
import { readArguments } from './support/bench-arguments';
import { sendAsNewcomers } from './support/newcomers';
import { type AcceptedEvent, requireAllAccepted, startPacedSender } from './support/paced-sender';
import { type RawReceiver, startRawReceiver } from './support/raw-receiver';
import { residentMb } from './support/resident-memory';
import { hookAt, seedTenant } from './support/seed-endpoints';
import { Siege } from './support/siege';
import { startStack } from './support/stack';
import { quantile } from './support/stats';
import { allWaits, spread, type Waits, waitsOf } from './support/waits';

const PER_SECOND = 20;
const FULL = { warmUpMs: 5_000, aloneMs: 20_000, besideMs: 60_000, drainMs: 10_000 };
const QUICK = { warmUpMs: 2_000, aloneMs: 8_000, besideMs: 20_000, drainMs: 5_000 };

/**
 * How long a healthy tenant's events take from 202 to the receiver, alone and then beside tenants with 1,600 endpoints that
 * hang or fail; and how long the first event of a new tenant takes meanwhile.
 */
export async function main(args: string[]): Promise<void> {
  const lengths = readArguments(args).isQuick ? QUICK : FULL;
  const stack = await startStack();
  const sender = startPacedSender();
  const newcomerCount = lengths.besideMs / 1_000;
  const receiver = await startRawReceiver('ok', 1 + newcomerCount);
  const [healthyPort = 0, ...newcomerPorts] = receiver.ports;
  const siege = await Siege.seed();
  const port = await findFreePort();
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 });
  try {
    const { key } = await seedTenant([hookAt(healthyPort)]);
    await stack.startPart('web', { PORT: String(port) });
    const worker = await stack.startPart('worker');
    const send = async (ms: number) =>
      requireAllAccepted(await sender.run({ port, keys: [key], perSecond: PER_SECOND, ms }));
    await send(lengths.warmUpMs);
    process.stdout.write(`alone, ${lengths.aloneMs / 1_000} s\n`);
    const alone = await arrivalsOf(await send(lengths.aloneMs), receiver, lengths.drainMs);
    process.stdout.write(`beside the siege, ${lengths.besideMs / 1_000} s\n`);
    siege.begin(pool);
    const [sent, first] = await Promise.all([send(lengths.besideMs), sendAsNewcomers(pool, newcomerPorts)]);
    const beside = await arrivalsOf(sent, receiver, lengths.drainMs);
    const newcomers = await arrivalsOf(first, receiver, 0);
    process.stdout.write(`the siege: ${await siege.describe()}\n`);
    report(alone, beside, newcomers);
    process.stdout.write(`worker's peak memory: ${residentMb(worker.pid, 'VmHWM').toFixed(0)} MB\n`);
  } finally {
    for (const each of [receiver, sender]) each.stop();
    await siege.stop();
    await pool.destroy();
    await closeDatabase();
    await stack.stop();
  }
}

/** Waits for the events to arrive, for at most `patienceMs` while everything else goes on. */
async function arrivalsOf(sent: readonly AcceptedEvent[], receiver: RawReceiver, patienceMs: number): Promise<Waits> {
  for (const end = performance.now() + patienceMs; ; await sleep(200)) {
    const waits = waitsOf(sent, new Map((await receiver.ask('times')).seen));
    if (waits.missing.length === 0 || performance.now() >= end) return waits;
  }
}

function report(alone: Waits, beside: Waits, newcomers: Waits): void {
  for (const [label, waits] of Object.entries({ alone, beside, newcomers })) {
    const all = allWaits(waits);
    process.stdout.write(`202 to receiver, ${label.padEnd(9)} ${spread(all)} (${all.length} events)\n`);
  }
  const [p95Beside, p95Alone] = [quantile(allWaits(beside), 0.95), quantile(allWaits(alone), 0.95)];
  reportOnce('RATIO p95 beside ÷ alone', p95Beside / p95Alone, { atMost: 2 });
  reportOnce('healthy events undelivered at the end', alone.missing.length + beside.missing.length, { atMost: 0 });
  reportOnce('events of newcomers undelivered at the end', newcomers.missing.length, { atMost: 0 });
}
