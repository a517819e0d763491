import { afterEach, expect, it, vi } from 'vitest';
import { MAX_SHOWN_BYTES } from './read-start';
import { sendTry } from './send-try';

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
