import { hash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { setOnce } from '@/lib/platform/globals';
import { noteActive } from '@/lib/platform/pace';
import { inThreadTurn } from '@/lib/platform/thread-turns';
import { listen } from '@/tests/http/listen';
import { setTestConfig } from '@/tests/setup/variables';
import { ok } from './api-response';
import { dispatch } from './dispatch';
import type { ApiRequest } from './request';
import { route } from './route';
import { toMatcher } from './table';
import { createWebServer } from './web-server';

const LARGE = 600_000;

/** Answers with as many characters as the request asks for, to the owner that it names. */
const content = route({
  summary: 'Read.',
  caller: {
    kind: 'key',
    authenticate: async ({ client, header }: ApiRequest) => {
      client.ownerId = header('x-owner') ?? 'a';
      return null;
    },
  },
  response: { status: 200, schema: z.object({ text: z.string() }) },
  servedBy: 'node',
  handler: async ({ request }) => ok({ text: 'é'.repeat(Number(request.header('x-chars'))) }),
});
const table = { '/api/v1/content': { GET: content } };

/** Asks for content. */
function ask(ownerId: string, chars: number, headers: Record<string, string> = {}) {
  const sent: Record<string, string> = { 'x-owner': ownerId, 'x-chars': String(chars), ...headers };
  const request: ApiRequest = {
    method: 'GET',
    route: '/api/v1/content',
    params: {},
    query: new URLSearchParams(),
    rawQuery: '',
    header: (name) => sent[name] ?? null,
    listHeaders: () => Object.entries(sent),
    readBody: async () => Promise.reject(new Error('no body')),
    client: { ipAddress: null, userAgent: null },
    requestId: 'request',
  };
  return dispatch(table['/api/v1/content'], request);
}

beforeEach(() => setTestConfig());

describe('the making of an answer', () => {
  let busyMs = 0;
  const busy = (ms: number) => () => {
    busyMs += ms;
  };
  const beTwo = () => {
    noteActive('b');
    noteActive('a');
  };
  beforeEach(() => {
    vi.useFakeTimers();
    busyMs = 0;
    const wait = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => wait() + busyMs);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    setOnce('thread-turns', undefined);
  });

  /** Whether the next turn of an owner is delayed by what was made for it. */
  const isDelayed = async (ownerId: string) => {
    const client = { ipAddress: null, userAgent: null, ownerId };
    const turn = () => inThreadTurn(client, () => new AbortController().signal, busy(0.1));
    beTwo();
    await turn();
    beTwo();
    let isDone = false;
    void turn().then(() => {
      isDone = true;
    });
    await vi.advanceTimersByTimeAsync(500);
    return !isDone;
  };

  it.each([
    ['delays the next turn of its owner by the time that a large one took', LARGE, true],
    ['delays nothing for a small one', 1_000, false],
  ])('%s', async (_name, chars, delays) => {
    const stringify = JSON.stringify;
    vi.spyOn(JSON, 'stringify').mockImplementation((value) => {
      // Log lines are JSON, too.
      if ('text' in value) busy(100)();
      return stringify(value);
    });
    beTwo();
    await ask('a', chars);
    expect([await isDelayed('a'), await isDelayed('b')]).toEqual([delays, false]);
  });
});

describe('the content of a large answer', () => {
  const text = JSON.stringify({ text: 'é'.repeat(LARGE) });
  const tag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;

  it('has the tag of its text, in either coding, and is not sent to a client that has it', async () => {
    const plain = await ask('a', LARGE);
    expect(String(plain.content)).toBe(text);
    expect(plain.headers.ETag).toBe(`W/${tag}`);
    const compressed = await ask('a', LARGE, { 'accept-encoding': 'gzip' });
    expect(gunzipSync(compressed.content as Uint8Array).toString()).toBe(text);
    expect(compressed.headers).toMatchObject({ ETag: `W/${tag}`, 'Content-Encoding': 'gzip' });
    const known = await ask('a', LARGE, { 'if-none-match': tag });
    expect([known.status, known.content]).toEqual([304, null]);
  });

  it('is written in slices between which the thread serves others', async () => {
    let written: number[] = [];
    const server = createWebServer({
      match: toMatcher(table),
      next: async () => undefined,
      clientAddress: () => '203.0.113.7',
      ownPrefixes: ['/api'],
    });
    server.prependListener('request', (_message, response) => {
      written = [];
      const write = response.write.bind(response);
      response.write = ((slice: Uint8Array, ...others: []) => {
        written.push(slice.length);
        return write(slice, ...others);
      }) as typeof write;
    });
    const { port } = new URL(await listen(server));
    const read = async (chars: number) => {
      const headers = { 'x-chars': String(chars) };
      const [response] = (await once(
        httpRequest({ host: '127.0.0.1', port, path: '/api/v1/content', headers }).end(),
        'response',
      )) as [IncomingMessage];
      const chunks = await response.toArray();
      return { length: response.headers['content-length'], text: Buffer.concat(chunks).toString() };
    };
    const large = await read(LARGE);
    expect(large).toEqual({ length: String(Buffer.byteLength(text)), text });
    expect(Math.max(...written)).toBeLessThanOrEqual(64 * 1024);
    expect(written.length).toBeGreaterThan(10);
    await read(1_000);
    expect(written).toEqual([]);
  });
});
