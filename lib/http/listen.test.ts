import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { createServer as createNetServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from './listen';

const ask = async (port: number): Promise<string> => {
  const [response] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage];
  return (await response.setEncoding('utf8').toArray()).join('');
};

it('serves the connections of all sockets, and no more of them once it closes', async () => {
  const server = createServer((_request, response) => response.end('served'));
  const { port, close } = await listen(server, 0);
  // The system spreads connections over the sockets: one that nobody accepts from would leave some of these without an answer.
  expect(await Promise.all(Array.from({ length: 64 }, () => ask(port)))).toEqual(Array(64).fill('served'));
  await close();
  await expect(ask(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('waits for the requests that are open when it closes', async () => {
  const open: (() => void)[] = [];
  const server = createServer((_request, response) => open.push(() => response.end('served')));
  const { port, close } = await listen(server, 0);
  const asked = Promise.all(Array.from({ length: 32 }, () => ask(port)));
  await expect.poll(() => open.length).toBe(32);
  let isClosed = false;
  const closed = close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isClosed).toBe(false);
  for (const answer of open) answer();
  expect(await asked).toEqual(Array(32).fill('served'));
  await closed;
});

it('never shares its port with another program', async () => {
  const first = createServer();
  const { port, close } = await listen(first, 0);
  onTestFinished(close);
  await expect(listen(createServer(), port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const other = createNetServer((socket: Socket) => socket.destroy()).listen(port);
  const [error] = await once(other, 'error');
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
});
