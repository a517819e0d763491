import { networkInterfaces } from 'node:os';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '@/tests/http/receiver';
import { setTestConfig } from '@/tests/setup/variables';
import { attemptJob } from './attempt-job';
import { closeDeliveryPools, deliveryPools } from './delivery-pools';
import { eventMessage } from './messages';
import { isOwnAddress, isOwnOrigin, OWN_URL_FAULT, ownUrlFault } from './own-service';
import { sendOnce } from './send-once';
import { addressOf } from './targets';
import type { Job, Target } from './types';

const TOKEN = 'Nf3_kQ2-ZxW8vB1nM4cL7sD0gH5jK9pRtYuIoEaSdFg';
const EVENT = { id: 'evt_1', type: 'order.created', timestamp: '2026-11-20T12:00:00.000Z', data: '{}' };

const own = {
  ...{ baseUrl: 'https://eds.corp.example', TUNNEL_BASE_URL: 'https://tunnels.example', PORT: 3000 },
  TUNNEL_PEER_URL: 'http://10.0.0.5:3000',
};
const local = { baseUrl: 'http://localhost:3000', TUNNEL_BASE_URL: undefined, TUNNEL_PEER_URL: undefined, PORT: 3000 };
const [machine] = Object.values(networkInterfaces()).flatMap((found) =>
  (found ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal),
);

describe('the origin of this service', () => {
  it.each([
    ['https://eds.corp.example', own, true],
    ['https://EDS.corp.example./', own, true],
    ['http://eds.corp.example', own, true],
    ['https://tunnels.example:443', own, true],
    ['http://10.0.0.5:3000', own, true],
    ['http://127.0.0.1:3000', own, true],
    ['https://eds.corp.example:8443', own, false],
    ['https://elsewhere.example', own, false],
    ['http://10.0.0.5:3001', own, false],
    ['http://127.0.0.1:3000', local, true],
    ['http://127.1:3000', local, true],
    ['http://0x7f000001:3000', local, true],
    ['http://0.0.0.0:3000', local, true],
    ['http://[::]:3000', local, true],
    ['http://[::1]:3000', local, true],
    ['http://[::ffff:127.0.0.1]:3000', local, true],
    ['http://eds.localhost:3000', local, true],
    ['http://127.0.0.1:3001', local, false],
  ])('is that of %s: %j, %s', (origin, settings, expected) => {
    expect(isOwnOrigin(origin, settings)).toBe(expected);
  });
});

describe('an address of the web process', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    ...(machine ? [machine.address] : []),
  ])('is %s with its port, and not with another one', (address) => {
    expect(isOwnAddress(address, 3000, local)).toBe(true);
    expect(isOwnAddress(address, 3001, local)).toBe(false);
  });

  it('is not that of another machine', () => {
    expect(isOwnAddress('93.184.215.14', 3000, local)).toBe(false);
  });
});

describe('a delivery to this service', () => {
  beforeAll(() => void setTestConfig());
  afterEach(async () => {
    await closeDeliveryPools();
    setTestConfig();
  });

  async function startService() {
    const receiver = await startReceiver();
    setTestConfig({ PORT: String(receiver.port) });
    return { ...receiver, origin: `http://localhost:${receiver.port}` };
  }

  it('is not made, except to a tunnel', async () => {
    const { origin, received } = await startService();
    const send = async (path: string) => (await sendOnce({ url: origin + path, secrets: [] }, EVENT)).result;
    expect(await send('/api/v1/events')).toMatchObject({ succeeded: false, error: OWN_URL_FAULT, requestParts: null });
    expect(received).toHaveLength(0);
    expect(await send(`/t/${TOKEN}/hook`)).toMatchObject({ succeeded: true });
  });

  it('is not made when a foreign name leads to it', async () => {
    const { port, received } = await startService();
    // The resolver of the system knows the name of the machine.
    const target = { ...addressOf(`http://127.0.0.1:${port}/api/v1/events`), fault: null };
    expect(ownUrlFault(target)).toBe(OWN_URL_FAULT);
    const { result, retryMs } = await attempt({ ...target, fault: null });
    expect(result).toMatchObject({ succeeded: false, error: 'Address is one of this service' });
    expect(retryMs).toBeGreaterThan(0);
    expect(received).toHaveLength(0);
  });

  it('is not repeated when its URL names this service', async () => {
    const { result, retryMs } = await attempt({ ...addressOf('http://localhost/api'), fault: OWN_URL_FAULT });
    expect(result).toMatchObject({ succeeded: false, error: OWN_URL_FAULT });
    expect(retryMs).toBeNull();
  });
});

function attempt(target: Pick<Target, 'origin' | 'path' | 'fault'>) {
  const message = eventMessage(EVENT);
  const job = { message, scheduleStep: 0, attemptNumber: 1, source: { eventId: 'e', incomingEventId: null } } as Job;
  return attemptJob(deliveryPools(), job, {
    ...{ id: 't', kind: 'endpoint', projectId: 'p', signingKeys: [], headers: {}, scheduleSeconds: [60] },
    ...{ failingSinceMs: null, version: '', ...target },
  });
}
