import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientAddressResolver } from './client-address';
import { limitConnections } from './limit-connections';

let server: Server;
const sockets: Socket[] = [];

beforeEach(async () => {
  server = createServer((_request, response) => response.end('served'));
  const limits = { total: 5, perOwner: 4, kept: 0, few: 0, displaces: 'newest' } as const;
  limitConnections(server, clientAddressResolver(['127.0.0.9']), limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** Opens connections, and returns whether each is served. */
async function open(localAddress: string, count: number) {
  const { port } = server.address() as AddressInfo;
  const opened = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
  for (const socket of opened) socket.on('error', () => undefined);
  sockets.push(...opened);
  await Promise.all(opened.map((socket) => once(socket, 'connect')));
  return opened;
}
async function areServed(asked: readonly Socket[]) {
  const served = asked.map(
    (socket) =>
      new Promise<boolean>((resolve) => {
        socket.once('data', () => resolve(true)).once('close', () => resolve(false));
        if (socket.destroyed) resolve(false);
        else socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      }),
  );
  return Promise.all(served);
}

it('keeps the connections of a network up to its limit, and closes further ones', async () => {
  const all = await open('127.0.0.1', 5);
  expect((await areServed(all)).filter(Boolean)).toHaveLength(4);
});

it('gives a place of the network with the most to another one when all are taken', async () => {
  const all = await open('127.0.0.1', 4);
  await areServed(all);
  const others = await open('127.0.0.2', 2);
  expect(await areServed(others)).toEqual([true, true]);
  expect((await areServed(all)).filter(Boolean)).toHaveLength(3);
});

it('forgets a connection that has ended', async () => {
  const all = await open('127.0.0.1', 4);
  await areServed(all);
  for (const socket of all) socket.destroy();
  await expect.poll(async () => (await areServed(await open('127.0.0.1', 1)))[0]).toBe(true);
});

it('counts a connection once that comes back from an upgrade', async () => {
  server.prependListener('connection', (socket) => {
    if (socket.listenerCount('comes back') > 0) return;
    socket.on('comes back', () => undefined);
    setImmediate(() => server.emit('connection', socket));
  });
  const all = await open('127.0.0.1', 4);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(all.filter(({ destroyed }) => destroyed)).toEqual([]);
  expect((await areServed(await open('127.0.0.2', 1))).filter(Boolean)).toHaveLength(1);
});

it('does not bound what a trusted proxy connects', async () => {
  const all = await open('127.0.0.9', 8);
  expect((await areServed(all)).filter(Boolean)).toHaveLength(8);
});
