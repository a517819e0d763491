import { expect, it } from 'vitest';
import { PASSWORD } from '@/tests/fixtures/people';
import { findFault } from './find-fault';
import type { RawResponse } from './raw-http';

const request = { method: 'GET', head: 'GET / HTTP/1.1\r\n\r\n', body: Buffer.alloc(0), hangsUp: false };
const problem = {
  type: 'about:blank',
  title: 'Bad',
  status: 400,
  detail: 'name: is required',
  code: 'x',
  requestId: 'r',
  errors: [],
};

function refusal(members: object = {}, changes: Partial<RawResponse> = {}): RawResponse {
  const headers = { 'x-request-id': 'r', 'content-type': 'application/problem+json' };
  return { status: 400, headers, text: JSON.stringify({ ...problem, ...members }), ms: 1, ...changes };
}

const served: RawResponse = { status: 200, headers: { 'x-request-id': 'r' }, text: '{}', ms: 1 };
const withRetryAfter = (seconds: string) =>
  refusal({ status: 503 }, { status: 503, headers: { ...refusal().headers, 'retry-after': seconds } });

it.each<[string, RawResponse]>([
  ['a successful response', served],
  ['a problem with its errors', refusal()],
  ['a 503 with Retry-After', withRetryAfter('2')],
  ['a 502 of a tunnel without a client', refusal({ status: 502, code: 'tunnel_offline' }, { status: 502 })],
])('accepts %s', (_, answer) => {
  expect(findFault(request, answer)).toBeNull();
});

it.each<[string, Parameters<typeof findFault>[1], string]>([
  ['a 500', refusal({ status: 500 }, { status: 500 }), '500'],
  ['another 502', refusal({ status: 502 }, { status: 502 }), '502'],
  ['a 503 without Retry-After', withRetryAfter(''), 'Retry-After'],
  ['a 503 with a fractional Retry-After', withRetryAfter('0.5'), 'Retry-After'],
  ['a missing response', { reason: 'the connection was closed', ms: 1 }, 'closed'],
  ['a late response', { ...served, ms: 30_001 }, '30001 ms'],
  ['a response without a request id', { ...served, headers: {} }, 'X-Request-Id'],
  ['a problem with another status', refusal({ status: 404 }), 'status'],
  ['a problem without a code', refusal({ code: undefined }), 'code'],
  ['a problem without its errors', refusal({ errors: undefined }), 'errors'],
  [
    'a page instead of a problem',
    refusal({}, { headers: { 'x-request-id': 'r', 'content-type': 'text/html' } }),
    'text/html',
  ],
  ['the wording of the validator', refusal({ detail: 'Invalid input: expected string' }), 'internal words'],
  ['a stack', refusal({ detail: 'TypeError: x\n    at Object.<anonymous>' }), 'internal words'],
  ['a password', { ...served, text: PASSWORD }, 'secret'],
])('reports %s', (_, answer, reason) => {
  expect(findFault(request, answer)).toContain(reason);
});
