import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConnectionTurns } from '@/lib/platform/net/connection-turns';
import { startReceiver } from '@/tests/http/receiver';
import { setTestConfig } from '@/tests/setup/variables';
import { closeDeliveryPools, makeDeliveryPools, sendOnce } from './send-once';

const EVENT = { id: 'evt_1', type: 'order.created', timestamp: '2026-11-20T12:00:00.000Z', data: '{}' };
const TOKEN = 'Nf3_kQ2-ZxW8vB1nM4cL7sD0gH5jK9pRtYuIoEaSdFg';
const REFUSED = { succeeded: false, responseStatus: null, error: 'Address is not public' };

describe('a delivery to an endpoint of a customer', () => {
  beforeAll(() => void setTestConfig());
  afterEach(async () => {
    await closeDeliveryPools();
    setTestConfig();
  });
  const send = async (url: string, customerId: string | null) =>
    (await sendOnce({ url, secrets: [], customerId }, EVENT)).result;

  it('reaches public addresses only, whatever others may reach', async () => {
    const { url, port, received } = await startReceiver();
    setTestConfig({ DELIVERY_ALLOWED_CIDRS: '127.0.0.0/8', APP_BASE_URL: 'https://eds.corp.example' });
    expect(await send(url, null)).toMatchObject({ succeeded: true });
    expect(await send(url, 'customer')).toMatchObject(REFUSED);
    expect(await send(`http://localhost:${port}/hook`, 'customer')).toMatchObject(REFUSED);
    expect(received).toHaveLength(1);
  });

  it('reaches no tunnel of this service at a private address', async () => {
    const { port, received } = await startReceiver();
    const origin = `http://127.0.0.1:${port}`;
    const tunnel = `${origin}/t/${TOKEN}/hook`;
    setTestConfig({ APP_BASE_URL: 'https://eds.corp.example', TUNNEL_BASE_URL: origin, DELIVERY_ALLOWED_CIDRS: '' });
    expect(await send(tunnel, null)).toMatchObject({ succeeded: true });
    expect(await send(tunnel, 'customer')).toMatchObject(REFUSED);
    expect(received).toHaveLength(1);
  });

  it('reaches what others reach in a local deployment', async () => {
    const { url, received } = await startReceiver();
    setTestConfig({ APP_BASE_URL: 'http://127.0.0.1:9' });
    expect(await send(url, 'customer')).toMatchObject({ succeeded: true });
    expect(received).toHaveLength(1);
  });
});

it('all connections of a process to receivers share their turns', async () => {
  setTestConfig({ APP_BASE_URL: 'http://127.0.0.1:9' });
  const { url, received } = await startReceiver();
  const ofConnection = vi.spyOn(ConnectionTurns.prototype, 'ofConnection');
  for (const pools of [makeDeliveryPools(), makeDeliveryPools()]) {
    await sendOnce({ url, secrets: [] }, EVENT, {}, pools);
    await pools.destroy();
  }
  expect(received).toHaveLength(2);
  expect(new Set(ofConnection.mock.contexts).size).toBe(1);
});
