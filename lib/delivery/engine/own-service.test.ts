import { networkInterfaces } from 'node:os';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { STANDARD } from '@/lib/delivery/endpoint-options-policy';
import { newId } from '@/lib/platform/ids';
import { provenOwnerOf } from '@/lib/platform/net/owner-header';
import { isInternalHeader } from '@/lib/platform/net/via';
import { respondWith, startReceiver } from '@/tests/http/receiver';
import { setTestConfig } from '@/tests/setup/variables';
import { attemptJob } from './attempt-job';
import { eventMessage } from './messages';
import { isOwnAddress, isOwnOrigin, OWN_URL_FAULT, ownTunnels, ownUrlFault } from './own-service';
import { closeDeliveryPools, deliveryPools, sendOnce } from './send-once';
import { addressOf } from './targets';
import type { Job, Target } from './types';

const TOKEN = 'Nf3_kQ2-ZxW8vB1nM4cL7sD0gH5jK9pRtYuIoEaSdFg';
const EVENT = { id: 'evt_1', type: 'order.created', timestamp: '2026-11-20T12:00:00.000Z', data: '{}' };
const BODY = JSON.stringify({ text: 'x'.repeat(100_000) });

const own = {
  baseUrl: 'https://eds.corp.example',
  PORTAL_BASE_URL: 'https://portal.example',
  TUNNEL_BASE_URL: 'https://tunnels.example',
  PORT: 3000,
  TUNNEL_PEER_URL: 'http://10.0.0.5:3000',
};
const local = {
  baseUrl: 'http://localhost:3000',
  PORTAL_BASE_URL: undefined,
  TUNNEL_BASE_URL: undefined,
  TUNNEL_PEER_URL: undefined,
  PORT: 3000,
};
const [machine] = Object.values(networkInterfaces()).flatMap((found) =>
  (found ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal),
);

describe('the origin of this service', () => {
  it.each([
    ['https://eds.corp.example', own, true],
    ['https://EDS.corp.example./', own, true],
    ['http://eds.corp.example', own, true],
    ['https://tunnels.example:443', own, true],
    ['https://portal.example', own, true],
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
    id: 't',
    kind: 'endpoint',
    projectId: 'p',
    signingKeys: [],
    headers: {},
    signature: STANDARD,
    sendsData: false,
    customerId: null,
    filter: null,
    rateLimit: null,
    scheduleSeconds: [60],
    failingSinceMs: null,
    version: '',
    ...target,
  });
}
const REFUSED = { succeeded: false, responseStatus: null, error: 'Address is not public' };
const OWN = { succeeded: false, responseStatus: null, error: 'URL is an address of this service' };

describe('the exemption for tunnels of this service', () => {
  const covers = (url: string, settings: object = {}) =>
    ownTunnels({
      baseUrl: 'https://eds.corp.example',
      TUNNEL_BASE_URL: undefined,
      DELIVERY_ALLOWED_CIDRS: [],
      ...settings,
    }).covers(addressOf(url));

  it.each([`/t/${TOKEN}`, `/t/${TOKEN}/`, `/t/${TOKEN}/hooks/v1.2/`, `/t/${TOKEN}/hooks?at=/../%2f`])(
    'covers %s',
    (path) => {
      expect(covers(`https://eds.corp.example${path}`)).toBe(true);
    },
  );

  it.each([
    ['another port', `https://eds.corp.example:8443/t/${TOKEN}/`],
    ['another scheme', `http://eds.corp.example/t/${TOKEN}/`],
    ['another host', `https://eds.corp.example.evil.test/t/${TOKEN}/`],
    ['a subdomain', `https://x.eds.corp.example/t/${TOKEN}/`],
    ['a final dot', `https://eds.corp.example./t/${TOKEN}/`],
    ['userinfo that looks like the host', `https://eds.corp.example@evil.test/t/${TOKEN}/`],
    ['another path', 'https://eds.corp.example/api/v1/events'],
    ['a path that begins alike', `https://eds.corp.example/tunnels/${TOKEN}/`],
    ['another case', `https://eds.corp.example/T/${TOKEN}/`],
    ['no token', 'https://eds.corp.example/t/'],
    ['a short token', 'https://eds.corp.example/t/metrics/'],
    ['dot segments', `https://eds.corp.example/t/${TOKEN}/../../metrics`],
    ['encoded dot segments', `https://eds.corp.example/t/${TOKEN}/%2e%2e/%2E%2E/metrics`],
    ['backslashes', `https://eds.corp.example/t/${TOKEN}\\..\\..\\metrics`],
    ['encoded slashes', `https://eds.corp.example/t/${TOKEN}/..%2f..%2fmetrics`],
    ['slashes encoded twice', `https://eds.corp.example/t/${TOKEN}/..%252f..%252fmetrics`],
    ['encoded backslashes', `https://eds.corp.example/t/${TOKEN}/..%5c..%5cmetrics`],
    ['dot segments with parameters', `https://eds.corp.example/t/${TOKEN}/..;/..;/metrics`],
    ['empty segments', `https://eds.corp.example/t/${TOKEN}//..//metrics`],
    ['a path in front', `https://eds.corp.example//t/${TOKEN}/`],
  ])('does not cover %s', (_, url) => {
    expect(covers(url)).toBe(false);
  });

  it('covers the origin of TUNNEL_BASE_URL instead of the dashboard’s when that is set', () => {
    const settings = { TUNNEL_BASE_URL: 'https://tunnels.corp.example' };
    expect(covers(`https://tunnels.corp.example/t/${TOKEN}/`, settings)).toBe(true);
    expect(covers(`https://eds.corp.example/t/${TOKEN}/`, settings)).toBe(false);
  });

  it('allows loopback and private addresses, but neither link-local nor metadata ones', () => {
    const { isAllowed } = ownTunnels({
      baseUrl: 'https://eds.corp.example',
      TUNNEL_BASE_URL: undefined,
      DELIVERY_ALLOWED_CIDRS: [],
    });
    expect(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.9', '93.184.215.14'].every(isAllowed)).toBe(true);
    expect(['169.254.169.254', 'fd00:ec2::254', '::ffff:127.0.0.1', '0.0.0.0', '224.0.0.1'].some(isAllowed)).toBe(
      false,
    );
  });
});

describe('a delivery while no private address is allowed', () => {
  beforeAll(() => void setTestConfig());
  afterEach(async () => {
    await closeDeliveryPools();
    setTestConfig();
  });
  const send = async (url: string) => (await sendOnce({ url, secrets: [] }, EVENT)).result;

  async function startService(answer = respondWith(200, 'ok')) {
    const receiver = await startReceiver(answer);
    setTestConfig({ DELIVERY_ALLOWED_CIDRS: '', APP_BASE_URL: `http://127.0.0.1:${receiver.port}` });
    return { ...receiver, origin: `http://127.0.0.1:${receiver.port}` };
  }

  it('reaches a tunnel of this service, and no other route of it over the same connection', async () => {
    const { origin, received } = await startService();
    expect(await send(`${origin}/t/${TOKEN}/hook`)).toMatchObject({ succeeded: true, responseStatus: 200 });
    expect(await send(`${origin}/metrics`)).toMatchObject(OWN);
    expect(await send(`${origin}/t/${TOKEN}/..%2f..%2fmetrics`)).toMatchObject(OWN);
    expect(received).toHaveLength(1);
  });

  it('does not reach another port, or the same port by another name', async () => {
    const { port } = await startService();
    const other = await startReceiver();
    expect(await send(`http://127.0.0.1:${other.port}/t/${TOKEN}/`)).toMatchObject(REFUSED);
    expect(await send(`http://localhost:${port}/t/${TOKEN}/`)).toMatchObject(OWN);
    expect(other.received).toHaveLength(0);
  });

  it('does not follow a redirect of a tunnel', async () => {
    const secret = await startReceiver();
    const { origin } = await startService(respondWith(307, '', { location: `http://127.0.0.1:${secret.port}/` }));
    expect(await send(`${origin}/t/${TOKEN}/`)).toMatchObject({ succeeded: false, responseStatus: 307 });
    expect(secret.received).toHaveLength(0);
  });

  it('tells a tunnel nothing of a client that an endpoint claims, and another receiver what its endpoint has', async () => {
    const { origin, received } = await startService();
    const outside = await startReceiver();
    setTestConfig({ DELIVERY_ALLOWED_CIDRS: '127.0.0.0/8', APP_BASE_URL: origin });
    const claims = ['X-Forwarded-For', 'x_forwarded_for', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP'];
    const headers = Object.fromEntries([...claims, 'X-Shop'].map((name) => [name, '203.0.113.9']));
    const signature = {
      profile: 'CUSTOM',
      header: 'x-forwarded-for',
      algorithm: 'SHA256',
      encoding: 'HEX',
      value: '{signature},203.0.113.9',
      content: '{body}',
    } as const;
    const secrets = [`whsec_${Buffer.alloc(32).toString('base64')}`];
    for (const to of [origin, `http://127.0.0.1:${outside.port}`]) {
      const url = `${to}/t/${TOKEN}/`;
      await sendOnce({ url, secrets: [], headers }, EVENT);
      await sendOnce({ url, secrets, signature }, EVENT);
    }
    const claimed = (requests: typeof received) =>
      requests.map(
        (request) => Object.values(request.headers).filter((value) => value?.includes('203.0.113.9')).length,
      );
    expect([claimed(received), claimed(outside.received)]).toEqual([
      [1, 0],
      [6, 1],
    ]);
  });

  it('tells the service its owner and whether its endpoint is that of a customer, and no other receiver', async () => {
    const { origin, received } = await startService();
    const outside = await startReceiver();
    setTestConfig({ DELIVERY_ALLOWED_CIDRS: '127.0.0.0/8', APP_BASE_URL: origin });
    const tenant = newId();
    const deliver = async (url: string, customerId: string | null = null) =>
      (await sendOnce({ url, secrets: [], customerId }, { ...EVENT, data: BODY }, { tenant })).result;
    const own = await deliver(`${origin}/t/${TOKEN}/hook?a=b`);
    const foreign = await deliver(`http://127.0.0.1:${outside.port}/t/${TOKEN}/hook?a=b`);
    expect([own.responseStatus, foreign.responseStatus]).toEqual([200, 200]);
    await deliver(`${origin}/t/${TOKEN}/hook`, newId());
    expect(received.map(({ headers, path }) => provenOwnerOf({ headers, url: path }))).toEqual([
      { ownerId: tenant, isOfCustomer: false },
      { ownerId: tenant, isOfCustomer: true },
    ]);
    expect(outside.received.map(({ headers }) => Object.keys(headers).filter(isInternalHeader))).toEqual([[]]);
    expect(own.requestParts).not.toContain('x-eds-owner');
  });
});
