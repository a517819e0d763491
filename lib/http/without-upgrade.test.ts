import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sliceReads } from '@/lib/platform/net/slice-reads';
import { serveWithoutUpgrade } from './without-upgrade';

let server: Server;
let decline: () => Promise<void> | undefined;

beforeEach(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end(Buffer.concat(chunks)));
  });
  server.on('upgrade', async (message, socket, head) => {
    const waited = decline();
    if (waited !== undefined) await waited;
    serveWithoutUpgrade(server, message, socket, head);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => void server.close());

/** Sends a request that offers HTTP/2, with its body in the same write. @returns the body that the server has read */
async function send(body: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
  const lines = ['POST / HTTP/1.1', 'Host: x', 'Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c'];
  client.write(`${[...lines, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
  let response = '';
  for await (const text of client) response += text;
  const read = response.slice(response.indexOf('\r\n\r\n') + 4);
  return response.includes('chunked') ? read.replace(/^[\da-f]+\r\n/, '').replace(/\r\n0\r\n\r\n$/, '') : read;
}

const BODY = Array.from({ length: 30_000 }, (_, nth) => String(nth).padStart(9, '0')).join(' ');

it.each([
  ['at once', () => undefined],
  ['while more of its body arrives', () => sleep(20)],
])('a request that offers another protocol and is declined %s keeps the order of its body', async (_when, wait) => {
  decline = wait;
  for (let round = 0; round < 5; round += 1) expect((await send(BODY)) === BODY).toBe(true);
});

it.each([
  ['at once', () => undefined],
  ['later', () => sleep(20)],
])('so does one that is read in slices and declined %s', async (_when, wait) => {
  decline = wait;
  server.prependListener('connection', (socket) => {
    if (socket.listenerCount('data') > 0) return;
    const ignore = () => undefined;
    setImmediate(() => {
      socket.on('data', ignore).off('data', ignore);
      sliceReads(socket, 2 * 1024, () => !socket.destroyed);
    });
  });
  for (let round = 0; round < 5; round += 1) expect((await send(BODY)) === BODY).toBe(true);
});

it('keeps empty headers, and leaves out the offer', async () => {
  decline = () => undefined;
  server.removeAllListeners('request').on('request', ({ rawHeaders }, response) => response.end(rawHeaders.join('|')));
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
  client.write('GET / HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n');
  let response = '';
  for await (const text of client) response += text;
  expect(response).toContain('Host|x|X-Empty||Connection|close');
});
