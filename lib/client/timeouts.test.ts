import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { json, problem, type Step, scriptedFetch } from '@/tests/http/scripted-fetch';
import { EventDeliveryClient } from './client';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clientOf = (fetcher: typeof fetch, options = {}) =>
  new EventDeliveryClient({ baseUrl: 'https://eds.example', fetch: fetcher, ...options });
const outcomeOf = (work: PromiseLike<unknown>) => Promise.resolve(work).catch((error: unknown) => error);

describe('a timeout', () => {
  it('ends each attempt, 30 seconds after it starts unless an option says otherwise', async () => {
    const { fetch } = scriptedFetch('never');
    const endings: [object, object, number][] = [
      [{}, {}, 30_000],
      [{ timeoutMs: 50 }, {}, 50],
      [{ timeoutMs: 50 }, { timeoutMs: 70 }, 70],
    ];
    for (const [options, callOptions, ms] of endings) {
      const ended = vi.fn();
      void outcomeOf(clientOf(fetch, { maxRetries: 0, ...options }).projects.get('p', callOptions)).then(ended);
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toHaveBeenCalledWith(expect.objectContaining({ name: 'TimeoutError' }));
    }
  });

  it('aborts the request, and covers the body of the response', async () => {
    let aborted = false;
    const stalls = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    const fetcher: typeof fetch = async (_url, init) => {
      init?.signal?.addEventListener('abort', () => {
        aborted = true;
      });
      return new Response(stalls);
    };
    const ended = outcomeOf(clientOf(fetcher, { maxRetries: 0, timeoutMs: 100 }).projects.get('p'));
    await vi.advanceTimersByTimeAsync(100);
    expect(await ended).toMatchObject({ name: 'TimeoutError' });
    expect(aborted).toBe(true);
  });

  it('leaves no timer after a call', async () => {
    await clientOf(scriptedFetch(json(200, { id: 'p' })).fetch).projects.get('p');
    await outcomeOf(clientOf(scriptedFetch(problem(404, 'not_found')).fetch).projects.get('p'));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the signal of a caller', () => {
  const reason = new Error('the user left');

  it.each<[string, () => Step, number]>([
    ['a running request', () => 'never', 10],
    ['the wait for a retry', () => problem(429, 'rate_limited', { 'retry-after': '50' }), 1_000],
  ])('ends %s with its reason, at once and without a retry', async (_what, step, ms) => {
    const { fetch, requests } = scriptedFetch(step());
    const controller = new AbortController();
    const ended = outcomeOf(clientOf(fetch).projects.get('p', { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(ms);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    expect([requests.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('ends the wait for an access token', async () => {
    const { fetch, requests } = scriptedFetch('never');
    const controller = new AbortController();
    const accessToken = () => new Promise<string>(() => {});
    const ended = outcomeOf(clientOf(fetch, { accessToken }).projects.get('p', { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    expect(requests).toHaveLength(0);
  });

  it('that is already aborted prevents the request', async () => {
    const { fetch, requests } = scriptedFetch(json(200, { id: 'p' }));
    expect(await outcomeOf(clientOf(fetch).projects.get('p', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(requests).toHaveLength(0);
  });

  it('keeps no listener after a call', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await clientOf(scriptedFetch(json(200, { id: 'p' })).fetch).projects.get('p', { signal });
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      expect.arrayContaining(added.mock.calls.map(([, listener]) => listener)),
    );
  });

  it('also ends a download whose body is read later', async () => {
    let received: AbortSignal | null | undefined;
    const fetcher: typeof fetch = async (_url, init) => {
      received = init?.signal;
      return new Response('bytes');
    };
    const controller = new AbortController();
    await clientOf(fetcher).organizationExport.download('o', { signal: controller.signal });
    controller.abort(reason);
    expect(received?.reason).toBe(reason);
  });
});
