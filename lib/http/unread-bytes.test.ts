import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { log } from '@/lib/platform/log';
import { clientAddressResolver } from './client-address';
import { Connections } from './connections';
import { UnreadBytes } from './unread-bytes';
import { createWebServer } from './web-server';

const MIB = 1024 * 1024;
const CONTENT = Buffer.alloc(16 * MIB, 'x');
const FOREVER = 1e9;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Sends as many MiB as the path says in one piece. */
const sendMiB: Handler = ({ url = '' }, response) => response.end(CONTENT.subarray(0, Number(url.slice(1)) * MIB));

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts a server whose connections are swept every 20 ms. */
function start(limits: { maxBytes: number; stallMs: number }, handler: Handler = sendMiB): Promise<number> {
  const connections = new Connections(new UnreadBytes(clientAddressResolver(['127.0.0.9']), limits), () => false, 20);
  const server = createServer((request, response) => {
    connections.enter(request.socket, response);
    response.once('close', () => connections.leave(request.socket, response));
    handler(request, response);
  });
  server.on('connection', (socket) => connections.add(socket));
  return listen(server);
}

/** Sends requests on one connection, and reads nothing. The connection is closed once `isClosed` says so. */
function ask(port: number, paths: string[], { from = '127.0.0.1', headers = '' } = {}) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  clients.push(socket);
  const state = { socket, isClosed: false };
  socket
    .on('error', () => undefined)
    .on('close', () => {
      state.isClosed = true;
    });
  // A socket that is paused does not notice that it was reset, but a write does.
  const probe = setInterval(() => socket.write('\r\n'), 50);
  socket.once('close', () => clearInterval(probe));
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`).join(''));
  return state;
}

/** Reads a response at most at a rate. Returns the bytes when it ends. */
async function readSlowly(port: number, path: string, bytesPerSecond: number): Promise<number> {
  const [response] = (await once(httpRequest({ port, path, agent: false }).end(), 'response')) as [IncomingMessage];
  const startedAt = performance.now();
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    await sleep(Math.max(0, (bytes / bytesPerSecond) * 1_000 - (performance.now() - startedAt)));
  }
  return bytes;
}

describe('a connection whose client does not read', () => {
  it('is ended when nothing is taken of the bytes that wait, in one piece or in many', async () => {
    const port = await start({ maxBytes: FOREVER, stallMs: 300 }, (request, response) =>
      request.url === '/stream'
        ? Readable.from(Array.from({ length: 256 }, () => CONTENT.subarray(0, 64 * 1024))).pipe(response)
        : sendMiB(request, response),
    );
    const clients = [ask(port, ['/16']), ask(port, ['/stream'])];
    await expect.poll(() => clients.map(({ isClosed }) => isClosed), { timeout: 5_000 }).toEqual([true, true]);
  });

  it('is ended when the responses of pipelined requests wait for the first one, and need the memory', async () => {
    const port = await start({ maxBytes: 20 * MIB, stallMs: FOREVER }, (request, response) => {
      if (request.url !== '/never') sendMiB(request, response);
    });
    const client = ask(port, ['/never', '/8', '/8', '/8']);
    await expect.poll(() => client.isClosed, { timeout: 5_000 }).toBe(true);
  });

  it('is ended when all together hold too much: the largest of the network with the most, and no other', async () => {
    const port = await start({ maxBytes: 32 * MIB, stallMs: FOREVER });
    const other = ask(port, ['/16']);
    const small = ask(port, ['/8'], { from: '127.0.0.2' });
    await sleep(200);
    expect([other.isClosed, small.isClosed]).toEqual([false, false]);
    const large = ask(port, ['/12'], { from: '127.0.0.2' });
    await expect.poll(() => large.isClosed, { timeout: 5_000 }).toBe(true);
    await sleep(200);
    expect([other.isClosed, small.isClosed]).toEqual([false, false]);
  });

  it('counts for the client that a trusted proxy names', async () => {
    const port = await start({ maxBytes: 32 * MIB, stallMs: FOREVER });
    const through = (client: string) => ({ from: '127.0.0.9', headers: `X-Forwarded-For: ${client}\r\n` });
    const other = ask(port, ['/16'], through('192.0.2.1'));
    const hostile = [1, 2, 3].map(() => ask(port, ['/12'], through('192.0.2.2')));
    await expect.poll(() => hostile.filter(({ isClosed }) => isClosed).length, { timeout: 5_000 }).toBeGreaterThan(0);
    await sleep(200);
    expect(other.isClosed).toBe(false);
  });

  it('is logged without its address, one line for all of ten seconds', async () => {
    const warn = vi.spyOn(log(), 'warn');
    const port = await start({ maxBytes: FOREVER, stallMs: 200 });
    const clients = [ask(port, ['/16']), ask(port, ['/16']), ask(port, ['/16'])];
    await expect.poll(() => clients.every(({ isClosed }) => isClosed), { timeout: 5_000 }).toBe(true);
    const lines = warn.mock.calls.filter(([, message]) => String(message).includes('do not read'));
    warn.mockRestore();
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('127.0.0');
  });

  it('leaves the process of the web server at most 64 MiB', async () => {
    const next = async (request: IncomingMessage, response: ServerResponse) => sendMiB(request, response);
    const clientAddress = clientAddressResolver([]);
    const port = await listen(createWebServer({ match: () => null, next, clientAddress, ownPrefixes: [] }));
    const other = ask(port, ['/16']);
    const hostile = Array.from({ length: 8 }, () => ask(port, ['/16'], { from: '127.0.0.2' }));
    await expect.poll(() => hostile.filter(({ isClosed }) => isClosed).length, { timeout: 5_000 }).toBeGreaterThan(3);
    await sleep(600);
    expect(hostile.filter(({ isClosed }) => !isClosed).length).toBeGreaterThan(1);
    expect(other.isClosed).toBe(false);
  });
});

describe('a slow client that reads', () => {
  it('gets all responses of a connection, each of which it takes within the limit', async () => {
    const port = await start({ maxBytes: FOREVER, stallMs: 3_000 });
    const { socket } = ask(port, ['/4', '/4', '/4']);
    let bytes = 0;
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length;
      if (bytes > 12 * MIB) break;
      await sleep(((chunk as Buffer).length / (2.5 * MIB)) * 1_000);
    }
    expect(bytes).toBeGreaterThan(12 * MIB);
  });

  it('gets all of a download with backpressure', async () => {
    const port = await start({ maxBytes: FOREVER, stallMs: 1_500 }, (_request, response) => {
      Readable.from(Array.from({ length: 128 }, () => CONTENT.subarray(0, 64 * 1024))).pipe(response);
    });
    expect(await readSlowly(port, '/', 2.5 * MIB)).toBe(8 * MIB);
  });

  it('gets all small pieces of a stream, and may wait for the next longer than the limit', async () => {
    const port = await start({ maxBytes: FOREVER, stallMs: 100 }, async (_request, response) => {
      for (let count = 0; count < 6; count += 1) {
        response.write('data: x\n\n');
        await sleep(250);
      }
      response.end();
    });
    expect(await readSlowly(port, '/', MIB)).toBe(6 * 9);
  });
});
