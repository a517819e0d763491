import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { AppError } from '@/lib/platform/errors';
import { setOnce } from '@/lib/platform/globals';
import { noteActive } from '@/lib/platform/pace';
import { inThreadTurn } from '@/lib/platform/thread-turns';
import { routeRequest } from '@/tests/http/route-request';
import { type ApiResponse, noContent } from './api-response';
import { DOCUMENT_PLACES, LONGEST_WAIT_MS, MAX_VALUES } from './document-places';
import type { ApiRequest } from './request';
import { route } from './route';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const name of ['document-places', 'small-document-places', 'thread-turns']) setOnce(name, undefined);
});

const never = () => new AbortController().signal;
const WIDTH = DOCUMENT_PLACES.width;
const LARGE = `[${' '.repeat(16 * 1024)}]`;

/** A route for documents, whose handlers end when the test says so. */
function takeDocuments() {
  const running: { ownerId: string | undefined; end(error?: AppError): void }[] = [];
  const definition = route({
    summary: 'Takes a document.',
    caller: { kind: 'anyone', authenticate: async () => null },
    body: z.unknown(),
    bodyLimitBytes: 1024 * 1024,
    isDocument: true,
    response: { status: 204 },
    handler: async ({ request: { client } }) => {
      await new Promise<void>((resolve, reject) => {
        const end = (error?: AppError) => {
          running.splice(running.indexOf(job), 1);
          if (error === undefined) resolve();
          else reject(error);
        };
        const job = { ownerId: client.ownerId, end };
        running.push(job);
      });
      return noContent();
    },
  });
  const send = (json: string, fields: Partial<ApiRequest['client']> = { ownerId: 'a' }, needed = never) =>
    definition.serve(
      routeRequest({
        header: (name) => (name === 'content-type' ? 'application/json' : null),
        readBody: async (_limit, use) => use(Buffer.from(json), needed),
        client: { ipAddress: null, userAgent: null, ...fields },
      }),
    );
  const owners = () => running.map(({ ownerId }) => ownerId);
  /** Ends handlers until no more begin. */
  const endAll = async () => {
    for (; running.length > 0; await settled()) for (const { end } of [...running]) end();
  };
  return { send, running, owners, endAll };
}
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 20));

/** @returns status, Retry-After, code and detail of a problem */
function problemOf({ status, raw, headers = {} }: ApiResponse) {
  const { code, detail } = JSON.parse(String(raw?.content)) as { code: string; detail: string };
  return [status, (headers as Record<string, string>)['Retry-After'], code, detail];
}

it.each([
  ['numbers', `[${Array(MAX_VALUES - 1).fill(0)}]`, `[${Array(MAX_VALUES).fill(0)}]`],
  ['arrays', `[${Array((MAX_VALUES - 2) / 2).fill('[0]')}]`, `[${Array(MAX_VALUES / 2).fill('[0]')}]`],
  ['members', `{${Array(MAX_VALUES - 1).fill('"a":0')}}`, `{${Array(MAX_VALUES).fill('"a":0')}}`],
])('a document may have as many %s as values are permitted, and no more are parsed', async (_name, most, tooMany) => {
  const { send, endAll } = takeDocuments();
  const accepted = send(most);
  await settled();
  await endAll();
  expect((await accepted).status).toBe(204);
  const parsed = vi.spyOn(JSON, 'parse');
  const refused = await send(tooMany);
  expect(parsed).not.toHaveBeenCalled();
  const detail = expect.stringContaining('100,000 JSON values');
  expect(problemOf(refused)).toEqual([413, undefined, 'payload_too_large', detail]);
});

it('what a string contains counts as one value', async () => {
  const { send, endAll } = takeDocuments();
  const accepted = send(JSON.stringify({ text: `"\\,[{${',[{"\\'.repeat(MAX_VALUES)}` }));
  await settled();
  await endAll();
  expect((await accepted).status).toBe(204);
});

it('owners who send documents at once have one place each, and all of them no more than there are', async () => {
  const { send, owners, running, endAll } = takeDocuments();
  const parsed = vi.spyOn(JSON, 'parse');
  const names = Array.from({ length: 2 * WIDTH }, (_, index) => `owner ${index}`);
  const sent = [...names, ...names].map((ownerId) => send(LARGE, { ownerId }));
  await settled();
  expect(owners()).toEqual(names.slice(0, WIDTH));
  expect(parsed).toHaveBeenCalledTimes(WIDTH);
  running[0]?.end();
  await settled();
  // Those who wait for their first place are served before the second document of another owner.
  expect(owners()).toEqual(names.slice(1, WIDTH + 1));
  await endAll();
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 204));
});

it('a document of 16 KiB waits for none that are larger', async () => {
  const { send, owners, endAll } = takeDocuments();
  const large = ['a', 'b', 'c', 'd'].map((ownerId) => send(LARGE, { ownerId }));
  const small = send('[]', { ownerId: 'e' });
  await settled();
  expect(owners()).toEqual(['a', 'b', 'c', 'e']);
  await endAll();
  expect((await Promise.all([...large, small])).map(({ status }) => status)).toEqual(Array(5).fill(204));
});

it('a document gives its place back when it is not valid, and when its handler fails', async () => {
  const { send, running, owners, endAll } = takeDocuments();
  for (let index = 0; index <= WIDTH; index += 1) expect((await send(LARGE.slice(0, -1))).status).toBe(400);
  const failed = send(LARGE);
  await settled();
  running[0]?.end(new AppError('conflict', 'It exists.'));
  expect((await failed).status).toBe(409);
  const next = send(LARGE);
  await settled();
  expect(owners()).toEqual(['a']);
  await endAll();
  expect((await next).status).toBe(204);
});

it('an owner beside others sends 2 MiB of documents at once and 1 MiB a second, those that are refused included', async () => {
  vi.useFakeTimers();
  const { send } = takeDocuments();
  const tooMany = `[${Array(512 * 1024).fill(0)}]`;
  const answered: string[] = [];
  const sendFor = (ownerId: string) => send(tooMany, { ownerId }).then(() => answered.push(ownerId));
  for (const owner of ['b', 'a']) noteActive(owner);
  for (let index = 0; index < 4; index += 1) void sendFor('a');
  await vi.advanceTimersByTimeAsync(10);
  void sendFor('b');
  await vi.advanceTimersByTimeAsync(10);
  expect(answered).toEqual(['a', 'a', 'a', 'b']);
  for (const owner of ['b', 'a']) noteActive(owner);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(answered).toEqual(['a', 'a', 'a', 'b', 'a']);
});

it('a document is used without a rest of its owner, whose next one waits afterwards, while those of others do not', async () => {
  vi.useFakeTimers();
  const wait = performance.now.bind(performance);
  let busyMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => wait() + busyMs);
  const useThread = () => {
    busyMs += 25;
  };
  const answered: string[] = [];
  const definition = route({
    summary: 'Uses the thread for a second, with its garbage.',
    caller: { kind: 'anyone', authenticate: async () => null },
    body: z.unknown(),
    isDocument: true,
    response: { status: 204 },
    handler: async ({ request: { client } }) => {
      for (let turn = 0; turn < 10; turn += 1) await inThreadTurn(client, never, useThread);
      return noContent();
    },
  });
  const send = (ownerId: string) => {
    for (const owner of ['b', 'a']) noteActive(owner);
    const readBody: ApiRequest['readBody'] = async (_limit, use) => use(Buffer.from('[]'), never);
    const header = (name: string) => (name === 'content-type' ? 'application/json' : null);
    const client = { ipAddress: null, userAgent: null, ownerId };
    void definition.serve(routeRequest({ header, readBody, client })).then(() => answered.push(ownerId));
  };
  send('a');
  await vi.advanceTimersByTimeAsync(600);
  expect(answered).toEqual(['a']);
  send('a');
  send('b');
  await vi.advanceTimersByTimeAsync(600);
  expect(answered).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(8_500);
  expect(answered).toEqual(['a', 'b', 'a']);
});

it('a document waits for ten seconds: for others it gets 503, for those of its own owner 429', async () => {
  vi.useFakeTimers();
  const { send, owners } = takeDocuments();
  for (const ownerId of ['a', 'b', 'c']) void send(LARGE, { ownerId });
  await vi.advanceTimersByTimeAsync(50);
  expect(owners()).toHaveLength(WIDTH);
  const [own, other] = [send(LARGE, { ownerId: 'a' }), send(LARGE, { ownerId: 'd' })];
  await vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS);
  expect(problemOf(await own)).toEqual([429, '5', 'rate_limited', expect.stringContaining('Send one at a time')]);
  expect(problemOf(await other)).toEqual([503, '5', 'overloaded', expect.stringContaining('Try again')]);
});

it('a document that waits is given up when its client disconnects, and when other bodies need its memory', async () => {
  const { send, endAll } = takeDocuments();
  for (const ownerId of ['a', 'b', 'c']) void send(LARGE, { ownerId });
  await settled();
  const [gone, needed] = [new AbortController(), new AbortController()];
  const left = send(LARGE, { ownerId: 'd', disconnectSignal: () => gone.signal });
  const givenUp = send(LARGE, { ownerId: 'e' }, () => needed.signal);
  await settled();
  gone.abort();
  needed.abort(new AppError('overloaded', 'Too many bodies are being sent at once.'));
  expect((await left).status).toBe(400);
  expect((await givenUp).status).toBe(503);
  await endAll();
});
