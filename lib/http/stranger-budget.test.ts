import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AppError, isAppError } from '@/lib/platform/errors';
import { setOnce } from '@/lib/platform/globals';
import { noteOwner } from '@/lib/platform/known-owners';
import { sendRaw } from '@/tests/http/send-raw';
import { setTestConfig } from '@/tests/setup/variables';
import { ok } from './api-response';
import { clientAddressResolver } from './client-address';
import { route } from './route';
import { StrangerBudget } from './stranger-budget';
import { toMatcher } from './table';
import { createWebServer } from './web-server';

/** How many of `count` requests at one moment a budget allows. */
function allowed(budget: StrangerBudget, count: number, { network = 'a', cost = 1, atMs = 0 } = {}): number {
  return Array.from({ length: count }).filter(() => {
    try {
      budget.spend(network, cost, atMs);
      return true;
    } catch (error) {
      expect(isAppError(error) && [error.code, error.options.retryAfterSeconds]).toEqual(['rate_limited', 1]);
      return false;
    }
  }).length;
}

it('allows a burst of three seconds, and then a number of requests a second', () => {
  const budget = new StrangerBudget(10);
  expect(allowed(budget, 100)).toBe(30);
  expect(allowed(budget, 100, { atMs: 1_000 })).toBe(10);
  expect(allowed(budget, 100, { atMs: 60_000 })).toBe(30);
});

it('counts each network for itself, and a page as several requests', () => {
  const budget = new StrangerBudget(10);
  expect(allowed(budget, 100, { network: 'a', cost: 4 })).toBe(7);
  expect(allowed(budget, 100, { network: 'b', cost: 4 })).toBe(7);
});

it('allows a page with the smallest budget', () => {
  const budget = new StrangerBudget(1);
  expect(allowed(budget, 5, { cost: 10 })).toBe(1);
  expect(allowed(budget, 5, { cost: 10, atMs: 20_000 })).toBe(1);
});

it('has no bound with 0', () => {
  expect(allowed(new StrangerBudget(0), 1_000)).toBe(1_000);
});

describe('a web server whose budget is spent', () => {
  let server: Server;
  const caller = { kind: 'anyone', authenticate: async () => null } as const;
  const options = { summary: '', caller, response: { status: 200, schema: z.object({}) }, handler: async () => ok({}) };
  const GET = { next: route(options), node: route({ ...options, servedBy: 'node' }) };
  const person = {
    kind: 'person',
    authenticate: async () => Promise.reject(new AppError('unauthenticated', 'Sign in.')),
  } as const;
  const key = { ...person, kind: 'key', confirm: async () => undefined } as const;

  const started: (() => void)[] = [];
  const startedAt: number[] = [];
  /** How long the fourth one has waited after the third. */
  const waitedMs = () => (startedAt.at(-1) ?? 0) - (startedAt.at(-2) ?? 0);
  const slow = async () => {
    startedAt.push(performance.now());
    await new Promise<void>((resolve) => started.push(resolve));
    return ok({});
  };

  beforeAll(async () => {
    setTestConfig({ LOG_LEVEL: 'silent' });
    // Enough for one page, and nothing for minutes.
    setOnce('stranger-budget', new StrangerBudget(0.01));
    server = createWebServer({
      match: toMatcher({
        '/api/live': { GET: GET.node },
        '/api/providers': { GET: GET.next, POST: GET.next },
        '/api/list': { GET: route({ ...options, caller: person, servedBy: 'node' }) },
        '/api/slow': {
          GET: route({
            ...options,
            caller: { ...person, authenticate: async () => null },
            servedBy: 'node',
            handler: slow,
          }),
        },
        '/api/socket': {
          GET: route({ ...options, caller: person, servedBy: 'node', upgrade: async () => () => undefined }),
        },
        '/api/slow-socket': {
          GET: route({
            ...options,
            caller: { ...person, authenticate: async () => null },
            servedBy: 'node',
            errors: ['conflict'],
            upgrade: async () => {
              await slow();
              throw new AppError('conflict', 'In use.');
            },
          }),
        },
        '/api/send': { GET: route({ ...options, caller: key, servedBy: 'node' }) },
      }),
      next: async (_message, response) => void response.end('from Next'),
      clientAddress: clientAddressResolver(['127.0.0.1']),
      ownPrefixes: ['/api'],
      tunnels: {
        placeOf: (_host, pathname) => (pathname.startsWith('/t/') ? 'tunnel' : 'product'),
        serve: async ({ url }, response) => {
          if (url === '/t/offline') throw new AppError('tunnel_offline', 'No client is connected.');
          response.end('from a client');
        },
        refuseUpgrade: async () => Promise.reject(new AppError('upgrade_unsupported', 'No.')),
      },
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    expect((await get('/login')).status).toBe(200);
  });
  afterAll(() => {
    server.close();
    setOnce('stranger-budget', undefined);
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      headers: { 'X-Forwarded-For': '192.0.2.1', ...headers },
    });

  it.each(['/login', '/api/providers', '/api/list'])('refuses %s with 429 and the wait', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
  });

  it('serves other networks, known credentials, and what is served before Next', async () => {
    noteOwner('eds_known', 'owner');
    expect((await get('/login', { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(200);
    expect((await get('/api/providers', { 'X-API-Key': 'eds_known' })).status).toBe(200);
    expect((await get('/api/providers', { 'X-API-Key': 'eds_invented' })).status).toBe(429);
    expect((await get('/api/live')).status).toBe(200);
  });

  it('refuses HEAD as it refuses GET', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/list`;
    const { status } = await fetch(url, { method: 'HEAD', headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect(status).toBe(429);
  });

  it('refuses the offer of a WebSocket with 429', async () => {
    const { port } = server.address() as AddressInfo;
    const head = 'GET /api/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    expect(await sendRaw(port, `${head}X-Forwarded-For: 192.0.2.1\r\n\r\n`, { until: 'rate_limited' })).toMatch(
      /^HTTP\/1\.1 429 /,
    );
  });

  it('gives turns to what needs a credential before Next, too: three at once of an owner', async () => {
    noteOwner('eds_slow', 'slow owner');
    const asked = Array.from({ length: 4 }, () => get('/api/slow', { 'X-API-Key': 'eds_slow' }));
    // A turn lasts for a tenth of a second at most.
    await expect.poll(() => started.length, { interval: 1 }).toBe(4);
    expect(waitedMs()).toBeGreaterThan(50);
    for (const end of started) end();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('gives turns to offers of WebSockets, three at once of an owner', async () => {
    noteOwner('eds_socket', 'owner of sockets');
    started.length = 0;
    const { port } = server.address() as AddressInfo;
    const head = 'GET /api/slow-socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    const offers = Array.from({ length: 4 }, () => sendRaw(port, `${head}X-API-Key: eds_socket\r\n\r\n`));
    await expect.poll(() => started.length, { interval: 1 }).toBe(4);
    expect(waitedMs()).toBeGreaterThan(50);
    for (const end of started) end();
    expect((await Promise.all(offers)).map((text) => text.slice(9, 12))).toEqual(['409', '409', '409', '409']);
  });

  it('counts what a handler finds to have no valid credential, before Next too', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.3' };
    expect([(await get('/api/send', headers)).status, (await get('/login', headers)).status]).toEqual([401, 429]);
  });

  it('counts a body by what a route reads of it, however much a client claims', async () => {
    setOnce('stranger-budget', new StrangerBudget(10));
    const { port } = server.address() as AddressInfo;
    const head = 'POST /api/providers HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.5\r\n';
    await sendRaw(port, `${head}Content-Length: 10000000000\r\n\r\n`, { ms: 300 });
    expect((await get('/login', { 'X-Forwarded-For': '192.0.2.5' })).status).toBe(200);
  });

  it('counts a large body as several requests', async () => {
    const body = 'x'.repeat(60_000);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/providers`;
    setOnce('stranger-budget', new StrangerBudget(3));
    const post = async (address: string, sent: string) =>
      (await fetch(url, { method: 'POST', body: sent, headers: { 'X-Forwarded-For': address } })).status;
    expect([await post('192.0.2.4', body), await post('192.0.2.4', body)]).toEqual([200, 429]);
  });

  it('counts visits of tunnels that no client answered, and no others', async () => {
    setOnce('stranger-budget', new StrangerBudget(1));
    const visits = async (path: string, address: string) => {
      const statuses: number[] = [];
      for (let nth = 0; nth < 5; nth += 1) statuses.push((await get(path, { 'X-Forwarded-For': address })).status);
      return statuses;
    };
    expect(await visits('/t/online', '192.0.2.6')).toEqual([200, 200, 200, 200, 200]);
    expect((await visits('/t/offline', '192.0.2.7')).slice(-1)).toEqual([429]);
  });
});
