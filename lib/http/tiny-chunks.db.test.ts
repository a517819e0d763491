import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { startWebServer, useWebServer } from '@/tests/http/adapters';
import { sendRaw } from '@/tests/http/send-raw';
import { GuardedMessage } from './guarded-message';
import { unfinishedBodies } from './unfinished-bodies';

useDatabase();
const projects = useProjects();
const server = useWebServer();

const chunksOf = (text: string) => [...text].map((char) => `1\r\n${char}\r\n`).join('');
const head = (target: string, fields = '') =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${fields}`;
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';

/** Sends 24 MB in chunks of one byte. @returns the bytes that the server took until it closed, and its response */
async function flood(target: string, fields = ''): Promise<{ taken: number; text: string }> {
  const socket = connect(server.port(), '127.0.0.1');
  const part = '1\r\nx\r\n'.repeat(10_000);
  let text = '';
  let sent = 0;
  const write = () => {
    while (sent < 24e6 && !socket.destroyed) {
      sent += part.length;
      if (!socket.write(part)) return;
    }
  };
  socket.on('drain', write).on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  socket.write(head(target, fields) + chunked);
  write();
  await new Promise((resolve) => socket.on('close', resolve));
  return { taken: socket.bytesWritten, text };
}

describe('a body in chunks of one byte', () => {
  it.each([
    ['an event', '/api/v1/events'],
    ['a source', `/api/v1/ingress/${'x'.repeat(43)}`],
    ['a path that does not exist', '/api/v1/nothing'],
    ['a page', '/login'],
    ['a path without a body', '/api/health/live'],
  ])('of %s is not read: the connection ends after what the sockets hold', async (_what, target) => {
    const { taken, text } = await flood(target, `X-API-Key: ${projects.mine.key}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 [24]\d\d .*connection: close/is);
    expect(taken).toBeLessThan(12e6);
  });

  it('gets 400 that names the reason', async () => {
    const body = chunksOf(`{"type":"a","data":{"x":"${'y'.repeat(20_000)}"}}`);
    const answer = await sendRaw(
      server.port(),
      `${head('/api/v1/events', `X-API-Key: ${projects.mine.key}\r\n`)}${chunked}${body}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*too many small pieces/s);
  });

  it('leaves nothing of its memory, also when it ends in the read that refuses it', async () => {
    const fields = head('/api/v1/events', `X-API-Key: ${projects.mine.key}\r\n`) + chunked;
    expect(await sendRaw(server.port(), `${fields}${'1\r\nx\r\n'.repeat(3_000)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    await expect.poll(() => unfinishedBodies().bytes).toBe(0);
  });

  it('is read when it is short, and its connection serves the next request', async () => {
    const body = chunksOf('{"type":"a","data":{"x":"hello"}}');
    const asked = `${head('/api/v1/events', `X-API-Key: ${projects.mine.key}\r\n`)}${chunked}${body}0\r\n\r\n`;
    const next = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(server.port(), asked + next)).toMatch(/ 202 Accepted.* 200 OK/s);
  });
});

describe('trailers after a body', () => {
  const withTrailers = (count: number) =>
    `${head('/api/v1/events', `X-API-Key: ${projects.mine.key}\r\n`)}${chunked}${chunksOf('{"type":"a","data":{}}')}0\r\n${'a:b\r\n'.repeat(count)}\r\n`;
  const next = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

  it('are ignored when they are few, and the connection serves the next request', async () => {
    expect(await sendRaw(server.port(), withTrailers(32) + next)).toMatch(/ 202 Accepted.* 200 OK/s);
  });

  it('get 400 when they are many, and nothing after them is read', async () => {
    const answer = await sendRaw(server.port(), withTrailers(10_000) + next);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*connection: close.*more than 32 trailers/is);
    expect(answer).not.toContain(' 200 OK');
  });
});

describe('a body that nobody reads', () => {
  const missing = (fields: string) => `${head('/api/v1/nothing', fields)}\r\n`;

  it('leaves the connection open when it is small and its length is known', async () => {
    const asked = `${missing('Content-Length: 5\r\n')}12345GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(server.port(), asked)).toMatch(/ 404 Not Found.* 200 OK/s);
  });

  it.each([
    ['it is chunked', 'Transfer-Encoding: chunked\r\n'],
    ['it is large', 'Content-Length: 1000000\r\n'],
  ])('ends the connection when %s', async (_what, fields) => {
    const answer = await sendRaw(server.port(), missing(fields), { ms: 3_000 });
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*connection: close/is);
  });
});

describe('the work of one read', () => {
  /** A server of its own: an attack changes how it reads for a minute. */
  let attacked: Server;
  const port = () => (attacked.address() as AddressInfo).port;
  const live = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n';
  const close = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const tiny = `${head('/api/health/live')}${chunked}${'1\r\nx\r\n'.repeat(10_000)}`;

  beforeEach(async () => {
    attacked = await startWebServer();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    attacked.closeAllConnections();
    return new Promise((resolve) => attacked.close(resolve));
  });

  it('is a slice after the first attack, on new connections and on open ones', async () => {
    const open = connect(port(), '127.0.0.1').on('error', () => undefined);
    open.write(live);
    await new Promise((resolve) => open.once('data', resolve));
    await sendRaw(port(), tiny);
    const pushed = vi.spyOn(GuardedMessage.prototype, 'push');
    await sendRaw(port(), tiny);
    open.write(tiny);
    await new Promise((resolve) => open.once('close', resolve));
    // A few slices of at most 350 chunks for each of two connections.
    expect(pushed.mock.calls.length).toBeLessThan(3_000);
  });

  it('ends with the first request that has too many headers', async () => {
    const asked = vi.fn();
    attacked.on('request', asked);
    const many = `GET /api/health/live HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(900)}\r\n`;
    expect(await sendRaw(port(), many)).toMatch(/^HTTP\/1\.1 400 /);
    asked.mockClear();
    await sendRaw(port(), many.repeat(15));
    expect(asked.mock.calls.length).toBeLessThan(3);
  });

  it('is a slice for the body of a request that offers another protocol, too', async () => {
    await sendRaw(port(), tiny);
    const pushed = vi.spyOn(GuardedMessage.prototype, 'push');
    const offer = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
    expect(await sendRaw(port(), tiny.replace('Host: x\r\n', `Host: x\r\n${offer}`))).toMatch(/^HTTP\/1\.1 [24]/);
    expect(pushed.mock.calls.length).toBeLessThan(1_500);
  });

  it('does not change what others get, whose requests arrive in any pieces and with any body', async () => {
    await sendRaw(port(), tiny);
    const large = JSON.stringify({ type: 'a', data: { x: 'y'.repeat(200_000) } });
    const event = `${head('/api/v1/events', `X-API-Key: ${projects.mine.key}\r\nContent-Length: ${large.length}\r\n`)}\r\n${large}`;
    expect(await sendRaw(port(), event + live + close)).toMatch(/ 202 Accepted.* 200 OK.* 200 OK/s);
  });

  it('ends a connection with 429 that does not wait for its responses, after those that it has asked for', async () => {
    const asked = vi.fn();
    attacked.on('request', asked);
    const answers = await sendRaw(port(), live.repeat(2_000));
    expect(answers.split('HTTP/1.1 200').length - 1).toBe(32);
    expect(answers).toMatch(/ 429 Too Many Requests.*connection: close/is);
    asked.mockClear();
    await sendRaw(port(), live.repeat(2_000));
    expect(asked.mock.calls.length).toBeLessThan(150);
  });

  it('may be 32 requests of one connection', async () => {
    expect((await sendRaw(port(), live.repeat(31) + close)).split('HTTP/1.1 200').length - 1).toBe(32);
  });
});
