import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { api, subtrees } from '@/lib/api/table';
import { toNext } from '@/lib/http/next-adapter';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';
import { config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';

const match = toMatcher(api, subtrees);

/** Runs a server on a free port for the tests of a file. */
function useServer(create: () => Server, onPort: (port: number) => void = () => undefined): { port(): number } {
  let server: Server;
  const port = () => (server.address() as AddressInfo).port;
  beforeAll(async () => {
    server = create();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onPort(port());
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port };
}

/** Runs an identity provider for the tests of a file. It answers every request with its discovery document. */
export function useIssuer(): void {
  const create = () =>
    createServer((message, response) => {
      const issuer = `http://${message.headers.host}`;
      const document = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ ...document, jwks_uri: `${issuer}/jwks` }));
    });
  useServer(create, (port) => setOnce('config', { ...config(), IDP_OAUTH_ISSUER: `http://127.0.0.1:${port}` }));
}

/**
 * Runs a server for the tests of a file that serves each route as it is declared: routes of Next get a web Request, and their
 * Response is written to the socket as Next does it.
 */
export function useNextLane(): { port(): number } {
  return useServer(() =>
    createWebServer({
      match,
      next: serveLikeNext,
      clientAddress: () => '127.0.0.1',
      ownPrefixes: ['/api', '/downloads', '/metrics', '/t'],
    }),
  );
}

async function serveLikeNext(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/', method = 'GET' } = message;
  const found = match(url.split('?')[0] ?? '');
  if (found === null) {
    response.end('a page');
    return;
  }
  try {
    const handlers = toNext(found.route, found.entry);
    const request = new Request(`http://localhost${url}`, requestInit(message, method));
    const answer = await handlers[method as 'GET'](request, { params: Promise.resolve(found.params) });
    for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value);
    response.setHeader('Set-Cookie', answer.headers.getSetCookie());
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

function requestInit(message: IncomingMessage, method: string): RequestInit {
  const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)]);
  if (method === 'GET' || method === 'HEAD') return { method, headers };
  return { method, headers, body: bodyOf(message), duplex: 'half' } as RequestInit;
}

/** A canceled body is not read further; the connection stays open for the response. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      message.on('data', (chunk: Buffer) => controller.enqueue(chunk));
      message.on('end', () => controller.close());
      message.on('error', (error) => controller.error(error));
    },
    cancel: () => {
      message.removeAllListeners('data').removeAllListeners('end').pause();
    },
  });
}
