import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { api, subtrees } from '@/lib/api/table';
import { clientAddressResolver } from '@/lib/http/client-address';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { sendThroughNode } from '@/tests/http/adapters';
import { callOver, expectProblem } from '@/tests/http/api-request';
import { sendRaw } from '@/tests/http/send-raw';

useDatabase();
const projects = useProjects();

const passed: (string | undefined)[] = [];
const server = createWebServer({
  match: toMatcher(api, subtrees),
  next: async (message, response) => {
    passed.push(message.url);
    response.end('served by Next');
  },
  clientAddress: clientAddressResolver([]),
  ownPrefixes: ['/api', '/t'],
  tunnels: {
    placeOf: (_host, pathname) => (pathname.startsWith('/t/') ? 'tunnel' : 'product'),
    serve: async (_message, response) => {
      response.end('tunneled');
    },
    refuseUpgrade: () => Promise.reject(new Error('not used')),
  },
});
const port = () => (server.address() as AddressInfo).port;
const send = sendThroughNode(port);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

const parameters = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
const callServer = callOver(send);
const get = (path: string) => send({ method: 'GET', path, headers: {}, body: null });

it.each(['/login', '/docs/errors', '/api/v1/openapi.json', '/api/v1/events', '/api/health/live', '/api/v1/nothing'])(
  'answers a request to %s with more than 100 parameters with a short 400, before Next or a route parses them',
  async (path) => {
    passed.length = 0;
    const parse = vi.spyOn(globalThis, 'URLSearchParams');
    const { status, headers, text } = await get(`${path}?${parameters(4_000)}`);
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect({ status, parsed, passed }).toEqual({ status: 400, parsed: 0, passed: [] });
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(text)).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('100') });
    expect(text.length).toBeLessThan(500);
  },
);

it('answers a call with more than 100 parameters with invalid_request', async () => {
  expectProblem(await callServer('GET', `/api/v1/key?${parameters(101)}`), 400, 'invalid_request');
});

it('passes a page with 100 parameters to Next unparsed', async () => {
  const parse = vi.spyOn(globalThis, 'URLSearchParams');
  expect((await get(`/login?${parameters(100)}`)).text).toBe('served by Next');
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect((await get(`/login?${parameters(101)}`)).status).toBe(400);
});

it('answers the offer of a WebSocket with more than 100 parameters with 400', async () => {
  const path = `/api/v1/projects/${projects.mine.id}/tunnels/${projects.mine.id}/connect?${parameters(101)}`;
  const offer = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  expect(await sendRaw(port(), `GET ${path} HTTP/1.1\r\nHost: x\r\n${offer}\r\n`, { until: 'parameters' })).toMatch(
    /^HTTP\/1\.1 400 .*100 parameters/s,
  );
});

it('passes any number of parameters to sources and tunnels, and never parses them', async () => {
  const parse = vi.spyOn(globalThis, 'URLSearchParams');
  const tunnel = await get(`/t/token/?${parameters(4_000)}`);
  const path = `/api/v1/ingress/unknown?${parameters(300)}`;
  const source = await send({ method: 'POST', path, headers: {}, body: '{}' });
  const parsed = parse.mock.calls.length;
  parse.mockRestore();
  expect(tunnel.text).toBe('tunneled');
  // The token is unknown, which a check of the database tells.
  expect(source.status).toBe(404);
  expect(parsed).toBe(0);
});
