import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientAddressResolver } from './client-address';
import { Connections } from './connections';
import { UnreadBytes } from './unread-bytes';

let server: Server;
let turns: string[] = [];
let started: ServerResponse[] = [];
let clients: Socket[] = [];
let connections: Connections;

beforeEach(async () => {
  connections = new Connections(new UnreadBytes(clientAddressResolver([])), () => !server.listening, 100, 4);
  server = createServer((request, response) => {
    response.once('close', () => connections.leave(request.socket, response));
    const turn = connections.enter(request.socket, response);
    turns.push(turn);
    if (turn === 'serve') started.push(response);
    else if (turn === 'wait') connections.onNext(request.socket, response, () => started.push(response));
    else response.writeHead(429).end();
  });
  server.on('connection', (socket) => connections.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const client of clients) client.destroy();
  turns = [];
  started = [];
  clients = [];
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

it('starts the requests of a connection one after another', async () => {
  await ask(3);
  await expect.poll(() => turns).toEqual(['serve', 'wait', 'wait']);
  expect(started).toHaveLength(1);
  started[0]?.end();
  await expect.poll(() => started.length).toBe(2);
  started[1]?.end();
  await expect.poll(() => started.length).toBe(3);
});

it('takes no request behind another one of its connection when too many wait in all, and the first of each always', async () => {
  await ask(3);
  await expect.poll(() => turns).toEqual(['serve', 'wait', 'wait']);
  await ask(3);
  await expect.poll(() => turns.slice(3)).toEqual(['serve', 'refuse', 'drop']);
  await ask(1);
  await expect.poll(() => turns.slice(6)).toEqual(['serve']);
});

it('forgets requests that were answered, and those of connections that ended', async () => {
  const client = await ask(4);
  await expect.poll(() => turns.length).toBe(4);
  client.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await ask(4);
  await expect.poll(() => turns.slice(4)).toEqual(['serve', 'wait', 'wait', 'wait']);
  for (let ended = 1; ended < started.length || ended < 5; ended += 1) {
    await expect.poll(() => started.length).toBeGreaterThan(ended);
    started[ended]?.end();
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  await ask(4);
  await expect.poll(() => turns.slice(8)).toEqual(['serve', 'wait', 'wait', 'wait']);
});

it('ends the connections of a closing server that send nothing, or no whole request, and none that waits for a response', async () => {
  const port = (server.address() as AddressInfo).port;
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1', () => half.write('GET / HTTP/1.1\r\nHost:'));
  clients.push(silent, half);
  const asking = await ask(1);
  await expect.poll(() => started.length).toBe(1);
  const closed = new Promise((resolve) => server.close(resolve));
  for (const client of [silent, half]) client.on('error', () => undefined).resume();
  await Promise.all([silent, half].map((client) => once(client, 'close')));
  expect(asking.destroyed).toBe(false);
  started[0]?.end('served');
  await once(asking, 'data');
  asking.end();
  await closed;
});

it('lets networks take turns in what it reads after an attack, so one does not wait for hundreds of connections of another', async () => {
  const served: string[] = [];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    let bytes = 0;
    served.push(request.url ?? '');
    request.on('data', ({ length }) => {
      bytes += length;
    });
    request.on('end', () => response.end(`${bytes}`));
  });
  server.prependOnceListener('connection', (socket) => setImmediate(() => connections.refuse(socket)));
  const { port } = server.address() as AddressInfo;
  const from = async (localAddress: string) => {
    const client = connect({ port, host: '127.0.0.1', localAddress });
    clients.push(client);
    await once(server, 'connection');
    return client;
  };
  await from('127.0.0.1');
  const many: Socket[] = [];
  while (many.length < 200) many.push(await from('127.0.0.1'));
  const other = await from('127.0.0.2');
  const body = 'x'.repeat(100_000);
  const answers = [...many, other].map((client) => once(client.setEncoding('utf8'), 'data'));
  for (const client of many)
    client.write(`POST /many HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  other.write('POST /other HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx');
  const texts = (await Promise.all(answers)).map(([text]) => String(text));
  expect(texts.map((text) => text.split('\r\n\r\n')[1])).toEqual([...many.map(() => '100000'), '1']);
  expect(served.indexOf('/other')).toBeLessThan(100);
});

it('reads a body on that is paused when an attack begins', async () => {
  const bodies: IncomingMessage[] = [];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    let bytes = 0;
    bodies.push(request.pause());
    request.on('data', ({ length }) => {
      bytes += length;
    });
    request.on('end', () => response.end(`${bytes} bytes`));
  });
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1_000_000)}`);
  await expect.poll(() => bodies[0]?.socket.isPaused()).toBe(true);
  const attacked = once(server, 'connection');
  clients.push(connect((server.address() as AddressInfo).port, '127.0.0.1'));
  connections.refuse((await attacked)[0]);
  bodies[0]?.resume();
  const [response] = await once(client, 'data');
  expect(String(response)).toContain('1000000 bytes');
});

it('knows a connection on which a response has begun, until the response ends', async () => {
  await ask(1);
  await expect.poll(() => started.length).toBe(1);
  const [response] = started as [ServerResponse];
  const socket = response.socket as Socket;
  expect(connections.isAnswering(socket)).toBe(false);
  response.writeHead(200, { 'Content-Length': '2' }).write('a');
  expect(connections.isAnswering(socket)).toBe(true);
  response.end('b');
  expect(connections.isAnswering(socket)).toBe(false);
});
