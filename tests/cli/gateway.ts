import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

/** A request that a gateway holds back. */
export interface Held {
  /** Resolves when the gateway has the request, or the response to it. */
  reached: Promise<void>;
  /** Lets it pass. */
  release(): void;
}

export interface Gateway {
  url(): string;
  /** What has passed, such as `POST /api/v1/auth/refresh`. */
  readonly requests: string[];
  /** Holds back the next request to a path, or the response that the server has already made. */
  hold(path: string, what: 'request' | 'response'): Held;
}

interface Hold {
  path: string;
  what: 'request' | 'response';
  /** Requests that had arrived before. One of an ended test may still be under way. */
  after: number;
  reach(): void;
  released: Promise<void>;
}

/** Puts an HTTP proxy in front of a server for all tests of a file. @param port of the server */
export function useGateway(port: () => number): Gateway {
  const requests: string[] = [];
  const holds: Hold[] = [];
  let server: Server;

  const pass = async (what: Hold['what'], path: string, arrival: number) => {
    const hold = holds.find((each) => each.path === path && each.what === what && each.after < arrival);
    if (hold === undefined) return;
    holds.splice(holds.indexOf(hold), 1);
    hold.reach();
    await hold.released;
  };
  const forward = async (message: IncomingMessage, response: ServerResponse) => {
    const path = message.url ?? '';
    const arrival = requests.push(`${message.method} ${path}`);
    const body = await readAll(message);
    await pass('request', path, arrival);
    const answer = await exchange(port(), message, body);
    await pass('response', path, arrival);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  beforeAll(async () => {
    server = http.createServer((message, response) => void forward(message, response).catch(() => response.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    hold: (path, what) => {
      const reached = deferred();
      const released = deferred();
      holds.push({ path, what, after: requests.length, reach: reached.resolve, released: released.promise });
      onTestFinished(() => released.resolve());
      return { reached: reached.promise, release: released.resolve };
    },
  };
}

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

function exchange(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: url, headers, agent: false };
    const request = http.request(options, async (response) => {
      const { 'transfer-encoding': _chunked, connection: _connection, ...rest } = response.headers;
      resolve({ status: response.statusCode ?? 0, headers: rest, body: await readAll(response) });
    });
    request.on('error', reject).end(body);
  });
}
