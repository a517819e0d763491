import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database';
import { insertEndpoint, insertEvents, readAttempts, readDeliveries } from '@/tests/deliveries';
import { answerWith, startReceiver, waitFor } from '@/tests/receiver';
import { DeliveryWorker } from './worker';

useDatabase({ DELIVERY_RETRY_SECONDS: '0,0' });

const workers: DeliveryWorker[] = [];
async function startWorker(options: Partial<ConstructorParameters<typeof DeliveryWorker>[0]> = {}) {
  const worker = new DeliveryWorker({ sendMail: async () => undefined, ...options });
  workers.push(worker);
  await worker.start();
  return worker;
}
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(3_000)));
});

const isSettled = (endpointId: string, count: number) => async () => {
  const deliveries = await readDeliveries(endpointId);
  return deliveries.length === count && deliveries.every(({ status }) => status !== 'PENDING');
};

describe('a delivery', () => {
  it('arrives signed as Standard Webhooks asks, with the bytes that were sent', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: `${receiver.url}?a=1` });
    await startWorker();
    const data = '{"total": 12.50, "name":"Åse \\u0041"}';
    const [eventId] = await insertEvents(endpoint.projectId, 1, { data });
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    const [request] = receiver.received;
    expect(request?.path).toBe('/hook?a=1');
    expect(request?.headers).toMatchObject({ 'webhook-id': eventId, 'content-type': 'application/json' });
    expect(request?.headers['user-agent']).toMatch(/^EventDeliveryService\/\d/);
    expect(request?.body).toMatch(/^\{"type":"order\.created","timestamp":"\d{4}-.*Z","data":/);
    expect(request?.body.endsWith(`"data":${data}}`)).toBe(true);
    const verified = new Webhook(endpoint.secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'order.created', data: { total: 12.5 } });
    expect(await readDeliveries(endpoint.id)).toMatchObject([
      { status: 'SUCCEEDED', attempt_count: 1, stored_attempts: 1, last_response_status: 200, next_attempt_at: null },
    ]);
    expect(await readAttempts(endpoint.id)).toMatchObject([{ succeeded: true, response_body: 'ok', attempt_number: 1 }]);
  });
});
