import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { AcceptedEvent } from './paced-sender';
import { postEvent } from './post-event';
import { localWebhookUrl, seedTenant } from './seed-endpoints';

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
