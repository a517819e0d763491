import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeEndpointSecret } from '@/lib/delivery/endpoint-secret';
import { respondWith, startReceiver } from '@/tests/http/receiver';
import { setTestConfig } from '@/tests/setup/variables';
import { closeDeliveryPools } from './delivery-pools';
import { sendOnce } from './send-once';

const EVENT = { id: 'evt_1', type: 'endpoint.test', timestamp: '2026-11-20T12:00:00.000Z', data: '{"ok":true}' };

describe('a test event', () => {
  beforeAll(() => void setTestConfig());
  afterEach(closeDeliveryPools);

  it('is signed, and its response is returned', async () => {
    const receiver = await startReceiver(respondWith(202, 'fine'));
    const secrets = [makeEndpointSecret(), makeEndpointSecret()];
    expect((await sendOnce({ url: receiver.url, secrets }, EVENT)).result).toMatchObject({
      succeeded: true,
      responseStatus: 202,
      durationMs: expect.any(Number),
      error: null,
      responseBody: 'fine',
    });
    const [request] = receiver.received;
    for (const secret of secrets) {
      const verified = new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
      expect(verified).toEqual({ type: 'endpoint.test', timestamp: EVENT.timestamp, data: { ok: true } });
    }
  });

  it('returns why it failed', async () => {
    const receiver = await startReceiver(respondWith(301, '', { location: '/elsewhere' }));
    expect((await sendOnce({ url: receiver.url, secrets: [] }, EVENT)).result).toMatchObject({
      succeeded: false,
      responseStatus: 301,
      error: 'Answered with status 301: redirects are not followed',
    });
  });

  it('cannot be sent to an address that deliveries must not reach', async () => {
    setTestConfig({ DELIVERY_ALLOWED_CIDRS: '' });
    const receiver = await startReceiver();
    expect((await sendOnce({ url: receiver.url, secrets: [] }, EVENT)).result).toMatchObject({
      succeeded: false,
      responseStatus: null,
      error: 'Address is not public',
    });
    expect(receiver.received).toEqual([]);
    setTestConfig();
  });
});
