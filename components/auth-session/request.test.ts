import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, describeError, parseApiError } from './api-error';
import { parseJson } from './request';

function refusal(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
}

describe('parseApiError', () => {
  it('reads a problem document with its field errors', async () => {
    const error = await parseApiError(
      refusal(400, {
        code: 'validation_failed',
        detail: 'name: must not be empty',
        requestId: 'r-1',
        errors: [{ path: 'name', message: 'must not be empty' }, { path: 7 }],
      }),
    );
    expect(error).toMatchObject({ status: 400, code: 'validation_failed', requestId: 'r-1' });
    expect(error.errors).toEqual([{ path: 'name', message: 'must not be empty' }]);
  });

  it('reads Retry-After', async () => {
    const error = await parseApiError(refusal(423, { code: 'account_locked' }, { 'Retry-After': '42' }));
    expect(error.retryAfterSeconds).toBe(42);
  });

  it.each(['soon', '-1', '1.5', ''])('ignores the Retry-After %j', async (header) => {
    const error = await parseApiError(refusal(429, {}, { 'Retry-After': header }));
    expect(error.retryAfterSeconds).toBeNull();
  });

  it.each(['<html>Bad gateway</html>', '', 'null', '[1]', '"text"'])(
    'reads a response that is not a problem document: %j',
    async (body) => {
      const error = await parseApiError(refusal(502, body, { 'X-Request-Id': 'proxy-1' }));
      expect(error).toMatchObject({ status: 502, code: 'http_502', requestId: 'proxy-1', errors: [] });
      expect(error.detail).toBe('The server responded with 502.');
    },
  );
});

describe('describeError', () => {
  it('returns the detail of an error with an unknown code', async () => {
    const detail = 'This project has 1,000 endpoints, the most it may have (PROJECT_MAX_ENDPOINTS). Delete one.';
    const error = await parseApiError(
      refusal(409, { code: 'limit_reached', title: 'Conflict', detail, requestId: 'r-3' }),
    );
    expect(describeError(error)).toEqual({ detail, requestId: 'r-3' });
  });

  it('returns the detail and request id of the API', () => {
    const error = new ApiError({ status: 404, code: 'not_found', detail: 'No such event.', requestId: 'r-2' });
    expect(describeError(error)).toEqual({ detail: 'No such event.', requestId: 'r-2' });
  });

  it('hides the message of a bug', () => {
    expect(describeError(new TypeError('x is undefined')).detail).not.toContain('undefined');
  });
});

afterEach(() => vi.unstubAllGlobals());

const TEXT = '{"a":[1,2.5,null,"x"],"b":{"c":true}}';

it('parses JSON in a browser without JSON.rawJSON', () => {
  vi.stubGlobal('JSON', { parse: JSON.parse.bind(JSON), stringify: JSON.stringify.bind(JSON) });
  expect(parseJson(TEXT)).toEqual({ a: [1, 2.5, null, 'x'], b: { c: true } });
});

it.each([TEXT, '1', 'null', '[]'])('parses %s like JSON.parse', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

it('parses data as deeply nested as an event can be', () => {
  const text = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  expect(Array.isArray(parseJson(text))).toBe(true);
});

it('throws for invalid JSON', () => {
  expect(() => parseJson('{"a":')).toThrow(SyntaxError);
});
