import { expect, it } from 'vitest';
import { PASSWORD } from '@/tests/people';
import { judge } from './judge';
import type { RawAnswer } from './raw-http';

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

function refusal(members: object = {}, changes: Partial<RawAnswer> = {}): RawAnswer {
  const headers = { 'x-request-id': 'r', 'content-type': 'application/problem+json' };
  return { status: 400, headers, text: JSON.stringify({ ...problem, ...members }), ms: 1, ...changes };
}

const served: RawAnswer = { status: 200, headers: { 'x-request-id': 'r' }, text: '{}', ms: 1 };
const withRetryAfter = (seconds: string) =>
  refusal({ status: 503 }, { status: 503, headers: { ...refusal().headers, 'retry-after': seconds } });

it.each<[string, RawAnswer]>([
  ['an answer to what was asked', served],
  ['a problem that names its faults', refusal()],
  ['a 503 that says when to come again', withRetryAfter('2')],
])('%s is one that a server may give', (_, answer) => {
  expect(judge(request, answer)).toBeNull();
});

it.each<[string, Parameters<typeof judge>[1], string]>([
  ['a fault of the server', refusal({ status: 500 }, { status: 500 }), '500'],
  ['a 503 that does not say when to come again', withRetryAfter(''), 'Retry-After'],
  ['a 503 with a part of a second', withRetryAfter('0.5'), 'Retry-After'],
  ['no answer', { reason: 'the connection was closed', ms: 1 }, 'closed'],
  ['a late answer', { ...served, ms: 10_001 }, '10001 ms'],
  ['an answer without a request id', { ...served, headers: {} }, 'X-Request-Id'],
  ['another status in the problem', refusal({ status: 404 }), 'status'],
  ['a problem without a code', refusal({ code: undefined }), 'code'],
  ['a problem without its faults', refusal({ errors: undefined }), 'errors'],
  [
    'a page instead of a problem',
    refusal({}, { headers: { 'x-request-id': 'r', 'content-type': 'text/html' } }),
    'text/html',
  ],
  ['the words of the validator', refusal({ detail: 'Invalid input: expected string' }), 'internal words'],
  ['a stack', refusal({ detail: 'TypeError: x\n    at Object.<anonymous>' }), 'internal words'],
  ['a password', { ...served, text: PASSWORD }, 'secret'],
])('%s is not', (_, answer, reason) => {
  expect(judge(request, answer)).toContain(reason);
});
