import { describe, expect, it } from 'vitest';
import { credentialRedactor } from '@/lib/platform/net/redact-secrets';
import { forwardedHeaders, keptHeaders, parseHeaderLines, requestHeaders } from './request-headers';
import type { Message } from './types';

const forward = (headers: [string, string][]) => forwardedHeaders(headers);

describe('headers of a forward', () => {
  it('keep what the provider says about its event', () => {
    const headers: [string, string][] = [
      ['content-type', 'application/json; charset=utf-8'],
      ['content-encoding', 'gzip'],
      ['user-agent', 'GitHub-Hookshot/1'],
      ['x-github-event', 'push'],
      ['x-hub-signature-256', 'sha256=00'],
      ['webhook-signature', 'v1,abc'],
    ];
    expect(forward(headers)).toEqual(Object.fromEntries(headers));
  });

  it.each([
    ...[
      'host',
      'content-length',
      'transfer-encoding',
      'connection',
      'keep-alive',
      'upgrade',
      'te',
      'trailer',
      'expect',
    ],
    ...['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'],
    ...[
      'authorization',
      'proxy-authorization',
      'cookie',
      'x-eds-source-id',
      'accept-encoding',
      'x-http-method-override',
    ],
  ])('do not contain %s', (name) => {
    expect(
      forward([
        [name, 'x'],
        ['x-shop', 'y'],
      ]),
    ).toEqual({ 'x-shop': 'y' });
  });

  it('do not contain a header that many receivers read as one of these, since they treat "_" as "-"', () => {
    expect(
      forward([
        ['x_forwarded_for', '127.0.0.1'],
        ['x-forwarded_host', 'x'],
        ['x_eds_source_id', 'x'],
        ['content_length', '0'],
        ['x_shop', 'y'],
      ]),
    ).toEqual({ x_shop: 'y' });
  });

  it('do not contain a credential that was not stored', () => {
    expect(forward([['x-gitlab-token', '[redacted]']])).toEqual({});
  });

  it('join a repeated header with a comma', () => {
    expect(
      forward([
        ['x-tag', 'a'],
        ['x-tag', 'b'],
      ]),
    ).toEqual({ 'x-tag': 'a, b' });
  });

  it('treat names of object members as any other name', () => {
    const headers = forward([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.entries({ ...headers })).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});

describe('the headers of a request', () => {
  it('contain a signature whose header has the name of an object member', () => {
    const parts = {
      ...{ userAgent: 'a', credential: {}, timestamp: 0, signature: 'v1,abc', sendsData: false, traceparent: null },
      beside: { header: '__proto__', value: 'signed' },
    };
    const message: Message = { id: 'evt_1', kind: 'event', headers: {}, body: Buffer.from('{}'), bytes: 2 };
    expect(Object.entries(requestHeaders(message, parts))).toContainEqual(['__proto__', 'signed']);
  });
});

const kept = (headers: Record<string, string | string[]>, sent = {}) =>
  parseHeaderLines(keptHeaders(headers, credentialRedactor(sent)) ?? '');

describe('the stored headers of a response', () => {
  it('are those that arrived, with repeated ones apart', () => {
    expect(kept({ 'content-type': 'text/html', via: ['a', 'b'], empty: '', colon: 'a: b' })).toEqual({
      headers: [
        ['content-type', 'text/html'],
        ['via', 'a'],
        ['via', 'b'],
        ['empty', ''],
        ['colon', 'a: b'],
      ],
      isCut: false,
    });
    expect(kept({})).toEqual({ headers: [], isCut: false });
    expect(keptHeaders(null, credentialRedactor({}))).toBeNull();
  });

  it.each(['set-cookie', 'authorization', 'proxy-authorization', 'x-api-key', 'x-csrf-token', 'x-client-secret'])(
    'have no value of %s',
    (name) => expect(kept({ [name]: ['hush', 'hush'] }).headers).toEqual(Array(2).fill([name, '[redacted]'])),
  );

  it.each(['www-authenticate', 'etag', 'x-request-id', 'retry-after', 'content-security-policy'])(
    'have the value of %s',
    (name) => expect(kept({ [name]: 'seen' }).headers).toEqual([[name, 'seen']]),
  );

  it('are at most 64, and 4 KiB', () => {
    const many = kept(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`h${i}`, 'x'])));
    expect([many.headers.length, many.isCut]).toEqual([64, true]);
    const long = kept({ first: 'x', long: 'y'.repeat(10_000), last: 'z' });
    expect([long.headers.length, long.isCut]).toEqual([2, true]);
    expect(long.headers[1]?.[1].length).toBeLessThan(4_096);
  });

  it('can be stored whatever they contain', () => {
    expect(keptHeaders({ a: 'x\0y', b: 'a\r\nb: c' }, credentialRedactor({}))).toBe('a: x\uFFFDy\nb: a b: c');
  });
});
