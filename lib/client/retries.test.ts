import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fault, json, problem, type Step, scriptedFetch } from '@/tests/http/scripted-fetch';
import { EventDeliveryClient } from './client';

const EVENT = { id: 'event-1', type: 'a', createdAt: '2026-01-31T09:30:00.000Z' };
const PROJECT = { id: 'p', name: 'Shop' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets the time pass until something has ended. Not until no timer is left: the pools of other files have some that repeat. */
async function pass(pending: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void pending.finally(() => (hasEnded = true));
  for (let seconds = 0; !hasEnded && seconds < 1_000; seconds += 1) await vi.advanceTimersByTimeAsync(1_000);
  await pending;
}

const methods = {
  get: (client: EventDeliveryClient) => client.projects.get('p'),
  send: (client: EventDeliveryClient) => client.events.send({ type: 'a', data: {} }),
  create: (client: EventDeliveryClient) => client.projects.create('o', { name: 'Shop' }),
  update: (client: EventDeliveryClient) => client.projects.update('p', { name: 'Shop' }),
  remove: (client: EventDeliveryClient) => client.projects.remove('p'),
};

/** Runs a method against a script, with all its waiting, and returns how often it was sent and how it ended. */
async function run(method: keyof typeof methods, steps: Step[], options: { maxRetries?: number } = {}) {
  const { fetch, requests } = scriptedFetch(...steps);
  const client = new EventDeliveryClient({ baseUrl: 'https://eds.example', apiKey: 'k', fetch, ...options });
  const ended = methods[method](client).then(
    () => 'done',
    (error: Error & { code?: string }) => error.code ?? error.name,
  );
  await pass(ended);
  return { attempts: requests.length, ended: await ended, requests };
}

const done = (method: keyof typeof methods) =>
  method === 'remove' ? new Response(null, { status: 204 }) : json(200, { ...EVENT, ...PROJECT });

const AMBIGUOUS: [string, () => Step][] = [
  ['502', () => problem(502, 'tunnel_failed')],
  ['503 without Retry-After', () => new Response('<h1>no backend</h1>', { status: 503 })],
  ['504', () => problem(504, 'tunnel_timeout')],
  ['a broken connection', () => fault('ECONNRESET')],
  ['a timeout', () => 'never'],
];
const UNPROCESSED: [string, () => Step][] = [
  ['429', () => problem(429, 'rate_limited', { 'retry-after': '1' })],
  ['503 with Retry-After', () => problem(503, 'overloaded', { 'retry-after': '1' })],
  ['a refused connection', () => fault('ECONNREFUSED')],
  ['an unknown host', () => fault('ENOTFOUND')],
];

describe.each([...AMBIGUOUS, ...UNPROCESSED])('after %s', (_name, step) => {
  it.each(['get', 'send', 'remove'] as const)('%s is sent again, because it can be repeated', async (method) => {
    expect(await run(method, [step(), step(), done(method)])).toMatchObject({ attempts: 3, ended: 'done' });
  });
});

describe.each(['create', 'update'] as const)('%s without an idempotency key', (method) => {
  it.each(AMBIGUOUS)('is not sent again after %s, because the server may have processed it', async (_name, step) => {
    const { attempts, ended } = await run(method, [step(), done(method)]);
    expect(attempts).toBe(1);
    expect(ended).not.toBe('done');
  });

  it.each(UNPROCESSED)('is sent again after %s, because the server did nothing', async (_name, step) => {
    expect(await run(method, [step(), done(method)])).toMatchObject({ attempts: 2, ended: 'done' });
  });
});

describe('retries', () => {
  it('send an event with the same idempotency key and body; the next event has another key', async () => {
    const { requests } = await run('send', [fault('ECONNRESET'), problem(503, 'unavailable'), json(202, EVENT)]);
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set(['{"type":"a","data":{}}']));
    const next = await run('send', [json(202, EVENT)]);
    expect(next.requests[0]?.headers.get('idempotency-key')).not.toBe(keys[0]);
  });

  it.each([400, 401, 403, 404, 409, 413, 423, 500, 501])('are not made after %i', async (status) => {
    expect(await run('get', [problem(status, 'some_code')])).toMatchObject({ attempts: 1, ended: 'some_code' });
  });

  it('end after maxRetries with the last error', async () => {
    const steps = [problem(503, 'unavailable')];
    expect(await run('get', steps)).toMatchObject({ attempts: 4, ended: 'unavailable' });
    expect(await run('get', steps, { maxRetries: 0 })).toMatchObject({ attempts: 1, ended: 'unavailable' });
    expect(await run('get', [fault('ECONNRESET')])).toMatchObject({ attempts: 4, ended: 'NetworkError' });
    expect(await run('get', ['never'])).toMatchObject({ attempts: 4, ended: 'TimeoutError' });
  });

  it('are not made when the server asks to wait for longer than a minute', async () => {
    const step = (seconds: number) => problem(429, 'rate_limited', { 'retry-after': String(seconds) });
    expect(await run('get', [step(61), done('get')])).toMatchObject({ attempts: 1, ended: 'rate_limited' });
    expect(await run('get', [step(60), done('get')])).toMatchObject({ attempts: 2, ended: 'done' });
  });

  it.each([
    ['seconds', () => '20'],
    ['a date', () => new Date(Date.now() + 20_000).toUTCString()],
  ])('wait for a Retry-After of %s', async (_name, value) => {
    vi.setSystemTime(new Date('2026-01-31T09:30:00Z'));
    const { fetch, requests } = scriptedFetch(problem(429, 'rate_limited', { 'retry-after': value() }), done('get'));
    const got = new EventDeliveryClient({ baseUrl: 'https://eds.example', fetch }).projects.get('p');
    await vi.advanceTimersByTimeAsync(19_900);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(700);
    expect(requests).toHaveLength(2);
    expect(await got).toMatchObject(PROJECT);
  });

  it('ask for the access token before each attempt', async () => {
    const { fetch, requests } = scriptedFetch(problem(503, 'unavailable'), done('get'));
    let count = 0;
    const accessToken = () => `token-${++count}`;
    const got = new EventDeliveryClient({ baseUrl: 'https://eds.example', accessToken, fetch }).projects.get('p');
    await pass(got);
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token-1', 'Bearer token-2']);
  });
});
