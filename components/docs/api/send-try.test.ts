import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { buildPath, MAX_SHOWN_BYTES, missingNames, postTry, readStart, sendTry } from './send-try';

afterEach(() => {
  vi.unstubAllGlobals();
});

function respondWith(response: Response | Error) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => {
    if (response instanceof Error) throw response;
    return response;
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

it('shows status, headers that matter, and JSON', async () => {
  const headers = { 'Content-Type': 'application/json', 'X-Request-Id': 'r1', Server: 'x' };
  const fetch = respondWith(new Response('{"amount":12.50}', { headers }));
  expect(await sendTry('/api/health/live', false)).toMatchObject({
    status: 200,
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'X-Request-Id', value: 'r1' },
    ],
    isJson: true,
    isTruncated: false,
    problemCode: null,
  });
  const [path, init] = fetch.mock.calls[0] ?? [];
  expect([path, init?.credentials, init?.redirect]).toEqual(['/api/health/live', 'omit', 'error']);
  expect(JSON.stringify(init?.headers)).not.toContain('Authorization');
});

it('posts the text of a body as it was typed, with a key and without a session', async () => {
  const fetch = respondWith(new Response('{"id":"e1"}', { status: 202 }));
  const json = '{"type":"a","data":{"n":12345678901234567890}}';
  expect(await postTry('/api/v1/events', json, { 'X-API-Key': 'eds_1' })).toMatchObject({ status: 202 });
  const [, init] = fetch.mock.calls[0] ?? [];
  expect([init?.method, init?.body, init?.credentials]).toEqual(['POST', json, 'omit']);
  expect(init?.headers).toEqual({
    Accept: 'application/json',
    'Content-Type': 'application/json',
    'X-API-Key': 'eds_1',
  });
});

it('shows a problem as a result, with its code', async () => {
  respondWith(new Response('{"code":"not_found"}', { status: 404 }));
  expect(await sendTry('/x', false)).toMatchObject({
    status: 404,
    problemCode: 'not_found',
    text: '{\n  "code": "not_found"\n}',
  });
});

it('shows text that is not JSON as it is', async () => {
  respondWith(new Response('up 1\n', { headers: { 'Content-Type': 'text/plain' } }));
  expect(await sendTry('/metrics', false)).toMatchObject({ text: 'up 1\n', isJson: false });
});

it('shows no more of a body than its limit, also when indenting makes it longer', async () => {
  respondWith(new Response(JSON.stringify(Array.from({ length: 100_000 }, () => 1))));
  const { text, isTruncated } = await sendTry('/x', false);
  expect([text.length, isTruncated]).toEqual([MAX_SHOWN_BYTES, true]);
});

it('tells when there is no response', async () => {
  respondWith(new TypeError('failed'));
  await expect(sendTry('/x', false)).rejects.toMatchObject({ code: 'network_error' });
});

const TEMPLATE = '/api/v1/projects/{projectId}/events/{eventId}';

it('fills the path and adds the query parameters that have a value', () => {
  const values = { projectId: ' p1 ', eventId: 'e/1', limit: '5', cursor: ' ' };
  expect(buildPath(TEMPLATE, ['limit', 'cursor', 'type'], values)).toBe('/api/v1/projects/p1/events/e%2F1?limit=5');
});

it('names the path parameters without a value', () => {
  expect(missingNames(TEMPLATE, { projectId: 'p1', eventId: ' ' })).toEqual(['eventId']);
  expect(missingNames(TEMPLATE, { projectId: 'p1', eventId: 'e1' })).toEqual([]);
});

it('never leaves the path of the call, whatever is typed', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '../..', '%2e%2e', '//evil.example', '\\\\x', '?a', '#b'),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(part, (typed) => {
      const url = new URL(buildPath(TEMPLATE, [], { projectId: 'p1', eventId: typed }), 'https://ours.example');
      expect(url.origin).toBe('https://ours.example');
      expect(url.pathname).toMatch(/^\/api\/v1\/projects\/p1\/events\/[^/]*$/);
      expect(url.search + url.hash).toBe('');
    }),
  );
});

it('reads a body to its end', async () => {
  expect(await readStart(new Response('{"name":"é"}'))).toEqual({ text: '{"name":"é"}', isTruncated: false });
  expect(await readStart(new Response(null))).toEqual({ text: '', isTruncated: false });
  const exact = 'a'.repeat(MAX_SHOWN_BYTES);
  expect(await readStart(new Response(exact))).toEqual({ text: exact, isTruncated: false });
});

it('stops at the limit and cancels the rest', async () => {
  let isCanceled = false;
  let sentBytes = 0;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        controller.enqueue(new Uint8Array(64 * 1024).fill(97));
        sentBytes += 64 * 1024;
      },
      cancel: () => {
        isCanceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const { text, isTruncated } = await readStart(new Response(endless));
  expect([text.length, isTruncated, isCanceled]).toEqual([MAX_SHOWN_BYTES, true, true]);
  expect(sentBytes).toBeLessThanOrEqual(MAX_SHOWN_BYTES + 128 * 1024);
});
