import { IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@/lib/platform/errors';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { ownerHeader } from '@/lib/platform/net/owner-header';
import { sendRaw } from '@/tests/http/send-raw';
import { setTestConfig } from '@/tests/setup/variables';
import { clientAddressResolver } from './client-address';
import { StrangerBudget } from './stranger-budget';
import { toMatcher } from './table';
import { createWebServer } from './web-server';

const [mine, other] = [newId(), newId()];

describe('deliveries of a worker to tunnels, from one address', () => {
  let server: Server;
  let origin: string;
  const asked: string[] = [];

  beforeAll(async () => {
    setTestConfig();
    server = createWebServer({
      match: toMatcher({}),
      next: async (_message, response) => void response.end('from Next'),
      clientAddress: clientAddressResolver([]),
      ownPrefixes: ['/api'],
      tunnels: {
        placeOf: (_host, pathname) => {
          asked.push(pathname);
          return pathname.startsWith('/t/') ? 'tunnel' : 'product';
        },
        serve: async ({ url = '' }, response) => {
          if (url.includes('offline')) throw new AppError('tunnel_offline', 'No client is connected.');
          response.end('from a client');
        },
        refuseUpgrade: async ({ url = '' }) => {
          if (url.includes('unknown')) throw new AppError('not_found', 'There is no tunnel at this URL.');
          if (url.includes('closed')) throw new AppError('unauthenticated', 'This tunnel requires a password.');
          if (url.includes('busy')) throw new AppError('overloaded', 'Try again.');
          throw new AppError('upgrade_unsupported', 'No.');
        },
      },
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  // Enough for one request, and nothing for seconds.
  beforeEach(() => setOnce('stranger-budget', new StrangerBudget(0.01)));
  afterAll(() => {
    server.close();
    setOnce('stranger-budget', undefined);
  });

  async function send(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(origin + path, { method: 'POST', headers });
    return { status: response.status, text: await response.text() };
  }
  const deliver = (path: string, ownerId: string, isOfCustomer = false) =>
    send(path, ownerHeader(path, { ownerId, isOfCustomer }));
  const spend = async (headers: Record<string, string>, path = '/t/offline') => {
    expect((await send(path, headers)).status).toBe(502);
  };

  it('are refused after those of their owner have failed, and those of another owner and of strangers are not', async () => {
    await spend(ownerHeader('/t/offline', { ownerId: mine }));
    const refused = await deliver('/t/online', mine);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('Too many deliveries to your tunnels have failed.');
    expect((await deliver('/t/online', other)).status).toBe(200);
    expect((await send('/t/online')).status).toBe(200);
  });

  it('are served after strangers at the same address have failed, which are refused', async () => {
    await spend({});
    const refused = await send('/t/online');
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('Too many requests from your network.');
    expect((await deliver('/t/online', mine)).status).toBe(200);
  });

  it.each([
    ['a forged header', { 'x-eds-owner': `${mine}.${Math.floor(Date.now() / 60_000)}.${'A'.repeat(22)}` }],
    ['an expired one', () => ownerHeader('/t/offline', { ownerId: mine }, Date.now() - 10 * 60_000)],
    ['that of another tunnel', () => ownerHeader('/t/other', { ownerId: mine })],
  ])('count for the network with %s', async (_, header) => {
    await spend(typeof header === 'function' ? header() : header);
    expect((await send('/t/online')).status).toBe(429);
    expect((await deliver('/t/online', mine)).status).toBe(200);
  });

  it('of the customers of an owner are refused after others of its customers have failed, and its own are not', async () => {
    await spend(ownerHeader('/t/offline', { ownerId: mine, isOfCustomer: true }));
    expect((await deliver('/t/online', mine, true)).status).toBe(429);
    expect((await deliver('/t/online', other, true)).status).toBe(200);
    expect((await deliver('/t/online', mine)).status).toBe(200);
  });

  it('leave to an owner what other web processes relay for its visitors', async () => {
    await spend(ownerHeader('/t/offline', { ownerId: mine }));
    expect((await deliver('/t/~peer/tunnel', mine)).status).toBe(200);
  });

  /** Offers a WebSocket. Returns the status. */
  async function offer(path: string, headers: Record<string, string> = {}) {
    const sent = { Host: 'x', Connection: 'Upgrade', Upgrade: 'websocket', ...headers };
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
    const { port } = server.address() as AddressInfo;
    return Number((await sendRaw(port, `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)).split(' ')[1]);
  }

  it.each([
    ['/t/unknown', 404],
    ['/t/closed', 401],
    ['/t/online', 501],
  ])('share a budget with WebSockets: one to %s, which gets %i, spends it', async (path, status) => {
    expect(await offer(path)).toBe(status);
    expect(await offer('/t/online')).toBe(429);
    expect((await send('/t/online')).status).toBe(429);
    expect(await offer('/t/online', ownerHeader('/t/online', { ownerId: mine }))).toBe(501);
    expect(await offer('/t/online', ownerHeader('/t/online', { ownerId: mine }))).toBe(429);
    expect(await offer('/t/online', ownerHeader('/t/online', { ownerId: other }))).toBe(501);
  });

  it('share a budget with WebSockets: one that the service has no room for does not spend it', async () => {
    expect(await offer('/t/busy')).toBe(503);
    expect((await send('/t/online')).status).toBe(200);
  });

  it('wait for few WebSockets: two of those that strangers offer at once begin before the event loop continues', async () => {
    asked.length = 0;
    for (let nth = 0; nth < 5; nth += 1) {
      const socket = new Socket();
      const message = new IncomingMessage(socket);
      Object.assign(message, { method: 'GET', url: '/t/busy', headers: { host: 'x', upgrade: 'websocket' } });
      server.emit('upgrade', message, socket, Buffer.alloc(0));
    }
    expect(asked).toHaveLength(2);
    await expect.poll(() => asked.length).toBe(5);
  });
});
