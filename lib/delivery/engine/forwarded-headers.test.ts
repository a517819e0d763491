import { describe, expect, it } from 'vitest';
import { forwardedHeaders } from './forwarded-headers';

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
