import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { findFreePort } from '@/lib/platform/free-port';
import { type AcceptedEvent, startReceiver } from './children';
import { type LoadedProject, localWebhookUrl, seedTenant } from './seed';

const BODY = '{"type":"order.paid","data":{"orderId":"ord_8f2c1","amount":4200,"currency":"EUR"}}';

interface PostedEvent {
  status: number;
  /** Null unless the status is 202. */
  accepted: AcceptedEvent | null;
}

const [HANGING, HANGING_EVERY_MS] = [600, 5_000];
const [FAILING_PROJECTS, FAILING_EACH, FAILING_EVERY_MS] = [20, 50, 10_000];

/** Tenants with failing receivers, until this process ends. */
export interface FailingTenants {
  /** Starts to send events; the failing projects send at staggered times. */
  start(pool: Pool): void;
  /** Reports the load so far: a load that does not reach the endpoints proves nothing. */
  describe(): Promise<string>;
}

/**
 * Creates a project with 600 endpoints that accept connections and never respond, and 20 projects with 50 endpoints each: half of
 * them respond with 500, half refuse connections. Each endpoint has its own port, and so its own origin.
 */
export async function seedFailingTenants(): Promise<FailingTenants> {
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

const EVERY_MS = 1_000;

/**
 * Creates a tenant each second, which sends its first event to an endpoint on its own port.
 *
 * @param ports one for each tenant
 * @returns the events
 */
export async function sendAsNewTenants(pool: Pool, ports: readonly number[]): Promise<AcceptedEvent[]> {
  const started = performance.now();
  const sending = ports.map(async (port, index) => {
    await sleep(index * EVERY_MS - (performance.now() - started));
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
