import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { readNodeBody } from './body-reader';
import { UnfinishedBodies, unfinishedBodies } from './unfinished-bodies';

afterEach(() => setOnce('unfinished-bodies', undefined));

const SENDER = { network: '192.0.2.1', ownerId: undefined };
const message = (rawHeaders: string[] = []) =>
  Object.assign(new PassThrough(), { headers: {}, rawHeaders }) as unknown as IncomingMessage & PassThrough;
const read = (from: IncomingMessage) => readNodeBody(from, 1_000, SENDER, (bytes) => bytes.toString());

it('reads a body, and counts nothing of it afterwards', async () => {
  const sent = message(['Host', 'x']);
  const body = read(sent);
  sent.write('ab');
  sent.end('c');
  expect(await body).toBe('abc');
  expect(unfinishedBodies().bytes).toBe(0);
});

it('refuses the body of a client that disconnected before it was read, and keeps nothing of it', async () => {
  const gone = message(['X-Large', 'x'.repeat(30_000)]);
  gone.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  await expect(read(gone)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(unfinishedBodies().bytes).toBe(0);
});

it('takes no body as complete that is shorter than its Content-Length, and keeps nothing of it', async () => {
  const declare = (bytes: number) => Object.assign(message(), { headers: { 'content-length': `${bytes}` } });
  const cut = declare(4);
  const complete = declare(3);
  cut.end('abc');
  complete.end('abc');
  await expect(read(cut)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await read(complete)).toBe('abc');
  expect(unfinishedBodies().bytes).toBe(0);
});

it('counts the headers of a request as long as its body is awaited', async () => {
  setOnce('unfinished-bodies', new UnfinishedBodies(50_000));
  const first = message(['X-Large', 'x'.repeat(30_000)]);
  const second = message(['X-Large', 'x'.repeat(30_000)]);
  const refused = read(first).catch((error: unknown) => error);
  const body = read(second);
  expect(await refused).toMatchObject({ code: 'overloaded' });
  second.end('served');
  expect(await body).toBe('served');
});

it('aborts what waits with a complete body when its memory is needed', async () => {
  setOnce('unfinished-bodies', new UnfinishedBodies(1_500));
  const sent = message();
  const waiting = readNodeBody(sent, 1_000, SENDER, (_bytes, needed) => {
    const signal = needed();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }).catch((error: unknown) => error);
  sent.end('x'.repeat(1_000));
  await new Promise((resolve) => setImmediate(resolve));
  const other = message();
  void read(other);
  other.write('x'.repeat(1_000));
  expect(await waiting).toMatchObject({ code: 'overloaded' });
});
