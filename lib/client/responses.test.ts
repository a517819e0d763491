import { describe, expect, it } from 'vitest';
import { fault, json, problem, type Step, scriptedFetch } from '@/tests/http/scripted-fetch';
import { EventDeliveryClient } from './client';
import { isApiError } from './errors';
import { MAX_RESPONSE_BYTES } from './read-response';

const clientOf = (...steps: Step[]) =>
  new EventDeliveryClient({ baseUrl: 'https://eds.example', fetch: scriptedFetch(...steps).fetch, maxRetries: 0 });
const errorOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => null,
    (error: unknown) => error as Error,
  );

describe('an error of the API', () => {
  it('has the fields of the problem document and of the headers', async () => {
    const errors = [{ path: 'name', message: 'must not be empty' }];
    const body = { code: 'validation_failed', detail: 'name: must not be empty', requestId: 'request-1', errors };
    const error = await errorOf(clientOf(json(400, body, { 'retry-after': '7' })).projects.get('p'));
    expect(error).toMatchObject({ ...body, name: 'ApiError', status: 400, retryAfterSeconds: 7 });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'validation_failed', errors });
    expect([isApiError(error), isApiError(error, 'validation_failed'), isApiError(error, 'conflict')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isApiError(new Error('other'))).toBe(false);
  });

  it('drops entries of errors that do not name a field', async () => {
    const body = {
      code: 'validation_failed',
      detail: 'x',
      errors: [null, 1, { path: 'a' }, { path: 'a', message: 'b' }],
    };
    expect(await errorOf(clientOf(json(400, body)).projects.get('p'))).toMatchObject({
      errors: [{ path: 'a', message: 'b' }],
    });
  });

  it.each([
    ['a page', '<h1>Bad gateway</h1>'],
    ['nothing', ''],
    ['JSON without a code', '{"error":"x"}'],
    ['an array', '[]'],
    ['a large body', `{"code":"x","detail":"${'y'.repeat(100_000)}"}`],
  ])('is unexpected_response with its status when a proxy answers with %s', async (_name, text) => {
    const response = new Response(text, { status: 500, headers: { 'x-request-id': 'proxy-1' } });
    expect(await errorOf(clientOf(response).projects.get('p'))).toMatchObject({
      code: 'unexpected_response',
      status: 500,
      requestId: 'proxy-1',
    });
  });
});

describe('a successful response that cannot be used', () => {
  const notUtf8 = new Response(new Uint8Array([0x7b, 0xff, 0x7d]));
  it.each([
    ['is a page', new Response('<h1>Sign in</h1>')],
    ['is empty', new Response('')],
    ['is an array', json(200, [])],
    ['is null', json(200, null)],
    ['is not UTF-8', notUtf8],
  ])('is unexpected_response when it %s', async (_name, response) => {
    expect(await errorOf(clientOf(response).projects.get('p'))).toMatchObject({ code: 'unexpected_response' });
  });

  it('is unexpected_response when it lacks what the caller needs', async () => {
    const error = await errorOf(clientOf(json(202, {})).events.send({ type: 'a', data: {} }));
    expect(error).toMatchObject({ code: 'unexpected_response', detail: 'The response lacks id.' });
    for (const page of [{}, { data: [] }, { data: {}, nextCursor: null }, { data: [], nextCursor: 1 }]) {
      expect(await errorOf(clientOf(json(200, page)).organizations.list())).toMatchObject({
        code: 'unexpected_response',
      });
    }
  });

  it('is not read beyond the limit', async () => {
    let pulled = 0;
    let canceled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1 << 20;
        controller.enqueue(new Uint8Array(1 << 20).fill(0x20));
      },
      cancel: () => {
        canceled = true;
      },
    });
    const fetcher: typeof fetch = async () => new Response(endless);
    const client = new EventDeliveryClient({ baseUrl: 'https://eds.example', fetch: fetcher });
    expect(await errorOf(client.projects.get('p'))).toMatchObject({ code: 'unexpected_response' });
    expect(pulled).toBeLessThanOrEqual(MAX_RESPONSE_BYTES + (4 << 20));
    expect(canceled).toBe(true);
  });

  it('is unexpected_response when it is a redirect, which would take the credential to another server', async () => {
    const { fetch, requests } = scriptedFetch(new Response(null, { status: 307, headers: { location: 'https://x' } }));
    const client = new EventDeliveryClient({ baseUrl: 'https://eds.example', fetch });
    expect(await errorOf(client.projects.get('p'))).toMatchObject({ code: 'unexpected_response', status: 307 });
    expect(requests).toHaveLength(1);
  });

  it('is NetworkError when its body breaks off', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(fault('ECONNRESET')) });
    const fetcher: typeof fetch = async () => new Response(broken);
    const client = new EventDeliveryClient({ baseUrl: 'https://eds.example', fetch: fetcher, maxRetries: 0 });
    expect(await errorOf(client.projects.get('p'))).toMatchObject({
      name: 'NetworkError',
      message: 'GET /api/v1/projects/p failed: ECONNRESET.',
    });
  });
});

it('problem documents of any code reach the caller, including codes of a newer server', async () => {
  expect(await errorOf(clientOf(problem(418, 'new_code')).projects.get('p'))).toMatchObject({ code: 'new_code' });
});

it('a call without a result ends even if a clone of its response is kept, as instrumented fetch functions do', async () => {
  const kept: Response[] = [];
  const fetcher: typeof fetch = async () => {
    const response = new Response('ignored', { status: 202 });
    kept.push(response.clone());
    return response;
  };
  const client = new EventDeliveryClient({
    baseUrl: 'https://eds.example',
    fetch: fetcher,
    maxRetries: 0,
    timeoutMs: 2_000,
  });
  expect(await client.projects.remove('p')).toBeUndefined();
  expect(await kept[0]?.text()).toBe('ignored');
});
