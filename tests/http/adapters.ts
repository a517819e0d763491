import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { api, subtrees } from '@/lib/api/table';
import { clientAddressResolver } from '@/lib/http/client-address';
import { notFoundNext, toNext } from '@/lib/http/next-adapter';
import { PRIVATE_CONTENT_ENCODING, privateHeaders } from '@/lib/http/private-headers';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';
import { newId } from '@/lib/platform/ids';
import { type Call, callOver, decodeContent, type Send } from './api-request';
import { servedByNode } from './served-by-node';

type NextVerb = keyof ReturnType<typeof toNext>;

/** Hides a client's Accept-Encoding from Next, as the web entry does. */
function hideAcceptEncoding({ 'accept-encoding': acceptEncoding, ...headers }: Record<string, string>) {
  if (acceptEncoding === undefined) return headers;
  return { ...privateHeaders({ clientAddress: '127.0.0.1', requestId: newId(), acceptEncoding }), ...headers };
}

const match = toMatcher(api, subtrees);

/** Calls the route handlers as Next does: with a web Request and the path parameters. */
export const sendThroughNext: Send = async ({ method, path, headers, body }) => {
  const { pathname } = new URL(path, 'http://localhost');
  const found = match(pathname);
  const handlers = found === null ? notFoundNext() : toNext(found.route, found.entry);
  const request = new Request(`http://localhost${path}`, { method, headers: hideAcceptEncoding(headers), body });
  const params = found === null || Object.keys(found.params).length === 0 ? undefined : found.params;
  const response = await handlers[method as NextVerb](request, { params: Promise.resolve(params) });
  const cookies = response.headers.getSetCookie();
  const received = Object.fromEntries(
    [...response.headers]
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value]) => [name === PRIVATE_CONTENT_ENCODING ? 'content-encoding' : name, value]),
  );
  const text = decodeContent(Buffer.from(await response.arrayBuffer()), received);
  return { status: response.status, headers: received, cookies, text };
};

/** Starts the server of the web entry with a fake Next, which serves every page, and `/slow` after 20 ms. */
export async function startWebServer(): Promise<Server> {
  const server = createWebServer({
    match: toMatcher(servedByNode(api), subtrees),
    next: async (message, response) => {
      if (message.url === '/slow') await sleep(20);
      response.end('a page');
    },
    clientAddress: clientAddressResolver([]),
    ownPrefixes: ['/api', '/downloads', '/metrics', '/t'],
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Starts that server for all tests of a file, and returns its port. */
export function useWebServer(): { port(): number } {
  let server: Server;
  beforeAll(async () => {
    server = await startWebServer();
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: () => (server.address() as AddressInfo).port };
}

/** Sends requests to the server on a port. */
export function sendThroughNode(port: () => number): Send {
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const request = httpRequest(
        { host: '127.0.0.1', port: port(), method, path, headers, agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const { 'set-cookie': cookies = [], ...rest } = response.headers;
            const headers = rest as Record<string, string>;
            const text = decodeContent(Buffer.concat(chunks), headers);
            resolve({ status: response.statusCode ?? 0, headers, cookies, text });
          });
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(body ?? undefined);
    });
}

/** Returns both adapters, for tests that must pass with each: `describe.each(useAdapters())`. */
export function useAdapters(): [name: string, call: Call][] {
  const server = useWebServer();
  return [
    ['through Next', callOver(sendThroughNext)],
    ['through node:http', callOver(sendThroughNode(server.port))],
  ];
}
