import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientAddressResolver } from './client-address';
import { Connections } from './connections';
import { UnreadBytes } from './unread-bytes';

let server: Server;
let waiting: ServerResponse[] = [];
let clients: Socket[] = [];

beforeEach(async () => {
  const connections = new Connections(new UnreadBytes(clientAddressResolver([])), 1_000, 4);
  server = createServer((request, response) => {
    response.once('close', () => connections.leave(request.socket, response));
    if (connections.enter(request.socket, response) === 'serve') waiting.push(response);
    else response.writeHead(429).end();
  });
  server.on('connection', (socket) => connections.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const client of clients) client.destroy();
  [waiting, clients] = [[], []];
  server.close();
});

async function ask(count: number): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
  return client;
}

it('takes no request behind another one of its connection when too many wait in all, and the first of each always', async () => {
  await ask(3);
  await expect.poll(() => waiting.length).toBe(3);
  await ask(3);
  await expect.poll(() => waiting.length).toBe(4);
  await ask(1);
  await expect.poll(() => waiting.length).toBe(5);
});

it('forgets requests that were answered, and those of connections that ended', async () => {
  const client = await ask(4);
  await expect.poll(() => waiting.length).toBe(4);
  client.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await ask(4);
  await expect.poll(() => waiting.length).toBe(8);
  for (const response of waiting) response.end();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await ask(4);
  await expect.poll(() => waiting.length).toBe(12);
});
