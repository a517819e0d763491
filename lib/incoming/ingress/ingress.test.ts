import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markCredentials } from '@/lib/delivery/credentials';
import { makeKey } from '@/lib/keys/key-format';
import { once, setOnce } from '@/lib/platform/globals';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { setTestConfig } from '@/tests/setup/variables';
import { keptHeaders, keptQuery } from './kept-request';
import { limitSource } from './receive-request';

const FORWARD = { 'x-eds-incoming-event-id': '0199-event', 'x-eds-via': 'a', 'x-vault': 'hush', 'x-a': 'b' };
const formOf = (provider: 'GENERIC_HMAC' | 'TOKEN') => ({ provider, header: 'X-Signature-Token' });
const kept = (headers: Record<string, string>): HeaderPairs =>
  JSON.parse(keptHeaders(Object.entries(headers), formOf('GENERIC_HMAC'), 'the-token-of-the-url'));

beforeEach(() => {
  setTestConfig();
});

describe('the headers that are kept with an incoming event', () => {
  it('have no credential of this service, whatever their names, and those of others as they came', () => {
    const key = makeKey();
    expect(kept({ 'x-forward': `Bearer ${key}`, 'x-other': key.replace(/.{6}$/, 'wrong1') })).toEqual([
      ['x-forward', 'Bearer [redacted]'],
      ['x-other', key.replace(/.{6}$/, 'wrong1')],
    ]);
  });

  it('lack the credential of a forward from another source', () => {
    expect(kept(markCredentials(FORWARD, ['x-vault']))).toEqual([
      ['x-eds-via', 'a'],
      ['x-a', 'b'],
    ]);
  });

  it('have the names of tokens without their values, and the signature that the source checks', () => {
    const tokens = ['x-gitlab-token', 'x-telegram-bot-api-secret-token', 'x_api_key', 'x-secret-key', 'x-password'];
    const others = ['x-signature-token', 'x-hub-signature-256', 'x-tokens-left', 'content-type'];
    const sent = Object.fromEntries([...tokens, ...others].map((name) => [name, 'hush']));
    expect(kept(sent)).toEqual([
      ...tokens.map((name) => [name, '[redacted]']),
      ...others.map((name) => [name, 'hush']),
    ]);
  });

  it('lack the value of the token that the source checks, whatever its header is called', () => {
    const form = { provider: 'TOKEN', header: 'X-Acme' } as const;
    const text = keptHeaders(
      [
        ['x-acme', 'hush'],
        ['x-a', 'b'],
      ],
      form,
      'the-token-of-the-url',
    );
    expect(JSON.parse(text)).toEqual([
      ['x-acme', '[redacted]'],
      ['x-a', 'b'],
    ]);
  });

  it('have a header that a stranger calls a credential', () => {
    const names = kept({ ...FORWARD, 'x-eds-credential-mark': `x-vault ${'A'.repeat(43)}` }).map(([name]) => name);
    expect(names).toEqual(['x-eds-via', 'x-vault', 'x-a']);
  });
});

describe('the query that is kept', () => {
  it.each([
    ['', null],
    ['a=1&b=%20+"', 'a=1&b=%20+"'],
    ['a=\u00c3\u00a9#b c', 'a=%c3%a9%23b%20c'],
  ])('the query %j is kept as %j, so that it can be appended to any URL', (raw, kept) => {
    expect(keptQuery(raw)).toBe(kept);
  });
});

describe('the limit of a source', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    setOnce('config', { SOURCE_REQUESTS_PER_MINUTE: 3 });
    setOnce('source-limiter', undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const send = (sourceId: string, count: number) => {
    for (let sent = 0; sent < count; sent++) limitSource(sourceId);
  };

  it('accepts as many requests in a minute as are allowed, and says when to send the next', () => {
    send('a', 3);
    vi.advanceTimersByTime(45_500);
    expect(() => limitSource('a')).toThrowError(
      expect.objectContaining({ code: 'rate_limited', options: { retryAfterSeconds: 15 } }),
    );
  });

  it('accepts requests again after the minute', () => {
    send('a', 3);
    vi.advanceTimersByTime(60_000);
    send('a', 3);
    expect(() => limitSource('a')).toThrowError();
  });

  it('counts each source separately', () => {
    send('a', 3);
    send('b', 3);
    expect(() => limitSource('b')).toThrowError();
  });

  it('remembers only the sources of the last minute', () => {
    for (let n = 0; n < 1_000; n++) limitSource(`source ${n}`);
    vi.advanceTimersByTime(59_000);
    limitSource('late');
    vi.advanceTimersByTime(1_000);
    limitSource('source 7');
    const windows = once('source-limiter', () => new Map());
    expect([...windows.keys()]).toEqual(['late', 'source 7']);
  });
});
