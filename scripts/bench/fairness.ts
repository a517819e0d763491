import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { findFreePort } from '@/lib/platform/free-port';
import { readArguments } from './support/bench-arguments';
import {
  type AcceptedEvent,
  type Receiver,
  requireAllAccepted,
  startPacedSender,
  startReceiver,
} from './support/children';
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
import { type LoadedProject, localWebhookUrl, seedTenant } from './support/seed';
import { withStack } from './support/stack';

const BODY = '{"type":"order.paid","data":{"orderId":"ord_8f2c1","amount":4200,"currency":"EUR"}}';
const PER_SECOND = 20;
const HANGING = 600;
const HANGING_EVERY_MS = 5_000;
const FAILING_PROJECTS = 20;
const FAILING_EACH = 50;
const FAILING_EVERY_MS = 10_000;
const NEW_TENANT_EVERY_MS = 1_000;
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
    const newTenantCount = lengths.besideMs / NEW_TENANT_EVERY_MS;
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
  const p95Beside = quantile(allLatencies(beside), 0.95);
  const p95Alone = quantile(allLatencies(alone), 0.95);
  checkValue('RATIO p95 beside ÷ alone', p95Beside / p95Alone, { atMost: 2 });
  checkValue('healthy events undelivered at the end', alone.missing.length + beside.missing.length, { atMost: 0 });
  checkValue('events of new tenants undelivered at the end', newTenants.missing.length, { atMost: 0 });
}

interface PostedEvent {
  status: number;
  /** Null unless the status is 202. */
  accepted: AcceptedEvent | null;
}

/** Tenants with failing receivers, until this process ends. */
interface FailingTenants {
  /** Starts to send events; the failing projects send at staggered times. */
  start(pool: Pool): void;
  /** Reports the load so far: a load that does not reach the endpoints proves nothing. */
  describe(): Promise<string>;
}

/**
 * Creates a project with 600 endpoints that accept connections and never respond, and 20 projects with 50 endpoints each: half of
 * them respond with 500, half refuse connections. Each endpoint has its own port, and so its own origin.
 */
async function seedFailingTenants(): Promise<FailingTenants> {
  const answering = FAILING_EACH / 2;
  const [hangers, failers] = await Promise.all([
    startReceiver('hang', { ports: HANGING }),
    startReceiver('fail', { ports: FAILING_PROJECTS * answering }),
  ]);
  const hanging = await seedTenant(hangers.ready.ports.map(localWebhookUrl));
  const failing: LoadedProject[] = [];
  for (let index = 0; index < FAILING_PROJECTS; index++) {
    const closed = await Promise.all(Array.from({ length: FAILING_EACH - answering }, () => findFreePort()));
    const open = failers.ready.ports.slice(index * answering, (index + 1) * answering);
    failing.push(await seedTenant([...open, ...closed].map(localWebhookUrl)));
  }
  const statuses: Record<string, number> = {};
  const sendEvery = async (pool: Pool, { key }: LoadedProject, everyMs: number, delayMs: number) => {
    for (await sleep(delayMs); ; await sleep(everyMs)) {
      const { status } = await postEvent(pool, key).catch((): PostedEvent => ({ status: 0, accepted: null }));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  return {
    start(pool) {
      void sendEvery(pool, hanging, HANGING_EVERY_MS, 0);
      for (const [index, project] of failing.entries()) {
        void sendEvery(pool, project, FAILING_EVERY_MS, (index * FAILING_EVERY_MS) / failing.length);
      }
    },
    async describe() {
      const [hung, failed] = await Promise.all([hangers.ask('count'), failers.ask('count')]);
      const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
      return `events ${answers.join(', ')}; hanging connections up to ${hung.mostOpen}; ${failed.requests} requests got 500`;
    },
  };
}

/**
 * Creates a tenant each second, which sends its first event to an endpoint on its own port.
 *
 * @param ports one for each tenant
 * @returns the events
 */
async function sendAsNewTenants(pool: Pool, ports: readonly number[]): Promise<AcceptedEvent[]> {
  const started = performance.now();
  const sending = ports.map(async (port, index) => {
    await sleep(index * NEW_TENANT_EVERY_MS - (performance.now() - started));
    const { key } = await seedTenant([localWebhookUrl(port)]);
    const { status, accepted } = await postEvent(pool, key);
    if (accepted === null) throw new Error(`the first event of a new tenant got ${status}`);
    return accepted;
  });
  return Promise.all(sending);
}

/** Sends one event over HTTP. */
async function postEvent(pool: Pool, key: string): Promise<PostedEvent> {
  const now = () => performance.timeOrigin + performance.now();
  const firstAt = now();
  const response = await pool.request({
    method: 'POST',
    path: '/api/v1/events',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: BODY,
  });
  const acceptedAt = now();
  const { id } = (await response.body.json()) as { id: string };
  const status = response.statusCode;
  return { status, accepted: status === 202 ? [id, firstAt, acceptedAt, 1] : null };
}
