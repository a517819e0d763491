import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { api, subtrees } from '@/lib/api/table';
import { toNext } from '@/lib/http/next-adapter';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';

const match = toMatcher(api, subtrees);

/**
 * Runs a server for the tests of a file that respects the lane of each route: routes of Next get a web Request, and their
 * Response is written to the socket as Next does it.
 */
export function useNextLane(): { port(): number } {
  let server: Server;
  beforeAll(async () => {
    server = createWebServer({
      ...{ match, next: serveLikeNext, clientAddress: () => '127.0.0.1' },
      ownPrefixes: ['/api', '/downloads', '/metrics', '/t'],
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: () => (server.address() as AddressInfo).port };
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
