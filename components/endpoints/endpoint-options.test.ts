import { describe, expect, it } from 'vitest';
import { ApiError } from '@/components/auth-session/api-error';
import type { Endpoint } from '@/lib/delivery/schema';
import {
  describeSignature,
  hasOptions,
  headerFault,
  namingFields,
  optionsChangeOf,
  optionValuesOf,
  parseHeaderLines,
} from './endpoint-options';

const ENDPOINT: Endpoint = {
  id: '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84',
  uid: null,
  url: 'https://example.com/webhooks',
  description: null,
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  pauseReason: null,
  failingSince: null,
  retrySeconds: [],
  metadata: {},
  headers: {},
  signature: { profile: 'STANDARD' },
  bodyFormat: 'ENVELOPE',
  filter: null,
  rateLimit: null,
  customerId: null,
  customerUid: null,
  receivesCustomerEvents: false,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
};
const CUSTOM = {
  profile: 'CUSTOM',
  header: 'X-Acme-Signature',
  content: '{body}',
  algorithm: 'SHA512',
  encoding: 'BASE64',
  value: 'v1={signature}',
} as const;

const changeOf = (endpoint: Partial<Endpoint>, typed: Partial<ReturnType<typeof optionValuesOf>>) => {
  const before = optionValuesOf({ ...ENDPOINT, ...endpoint });
  return optionsChangeOf({ ...before, ...typed }, before);
};

describe('the form of the options of an endpoint', () => {
  it('changes nothing that was not edited', () => {
    const all = {
      uid: 'acme',
      headers: { 'X-A': '1' },
      signature: CUSTOM,
      bodyFormat: 'DATA',
      metadata: { a: 'b' },
      rateLimit: { requests: 1, seconds: 2 },
    } as const;
    expect(changeOf({}, {})).toEqual({});
    expect(changeOf(all, {})).toEqual({});
  });

  it('sends each field that was edited, and removes what was cleared', () => {
    expect(changeOf({}, { uid: ' acme-billing ' })).toEqual({ uid: 'acme-billing' });
    expect(changeOf({ uid: 'acme' }, { uid: '' })).toEqual({ uid: null });
    expect(changeOf({ headers: { 'X-A': '1' } }, { headers: 'X-A: 1\nX-B: a: b' })).toEqual({
      headers: { 'X-A': '1', 'X-B': 'a: b' },
    });
    expect(changeOf({ headers: { 'X-A': '1' } }, { headers: '' })).toEqual({ headers: {} });
    expect(changeOf({}, { bodyFormat: 'DATA' })).toEqual({ bodyFormat: 'DATA' });
    expect(changeOf({ metadata: { a: 'b' } }, { metadata: '' })).toEqual({ metadata: {} });
    expect(changeOf({}, { receivesCustomerEvents: true })).toEqual({ receivesCustomerEvents: true });
    expect(changeOf({}, { requests: '100', seconds: '60' })).toEqual({ rateLimit: { requests: 100, seconds: 60 } });
    expect(changeOf({}, { requests: '100' })).toEqual({ rateLimit: { requests: 100, seconds: 0 } });
    expect(changeOf({ rateLimit: { requests: 1, seconds: 2 } }, { requests: '', seconds: '' })).toEqual({
      rateLimit: null,
    });
    expect(changeOf({}, { profile: 'SVIX' })).toEqual({ signature: { profile: 'SVIX' } });
    expect(changeOf({}, CUSTOM)).toEqual({ signature: CUSTOM });
    expect(changeOf({ signature: CUSTOM }, { profile: 'STANDARD' })).toEqual({ signature: { profile: 'STANDARD' } });
  });

  it('never writes back values that it cannot show, and replaces them when others are given', () => {
    const hidden = { headers: { Authorization: '[redacted]' } };
    expect(optionValuesOf({ ...ENDPOINT, ...hidden }).headers).toBe('');
    expect(changeOf(hidden, { uid: 'acme' })).toEqual({ uid: 'acme' });
    expect(changeOf(hidden, { headers: 'Authorization: Bearer 1' })).toEqual({
      headers: { Authorization: 'Bearer 1' },
    });
  });

  it('reads lines of headers, each name once', () => {
    expect(parseHeaderLines('X-A: 1\n\n  X-B :two words ')).toEqual({ 'X-A': '1', 'X-B': 'two words' });
    expect(parseHeaderLines('')).toEqual({});
    for (const text of ['X-A', 'X-A: 1\nX-A: 2', 'two words: 1', ': 1']) expect(parseHeaderLines(text)).toBeNull();
  });

  it('names the line that is not a header, or that repeats one', () => {
    expect(headerFault('X-A: 1\n\nX-B 2')).toBe('Line 3, “X-B 2”, is not a header such as X-Api-Version: 2026-01.');
    expect(headerFault('X-A: 1\nX-A: 2')).toBe('Line 2 repeats the header X-A.');
    expect(headerFault('X-A: 1\nX-B: 2')).toBeUndefined();
  });

  it('shows an error of a signature at its field, and says which header is wrong', async () => {
    const error = new ApiError({
      status: 400,
      code: 'validation_failed',
      detail: 'no',
      errors: [
        { path: 'signature.header', message: 'must not be one of headers' },
        { path: 'headers.Host', message: 'is set by the service' },
      ],
    });
    await expect(namingFields(Promise.reject(error))).rejects.toMatchObject({
      status: 400,
      detail: 'no',
      errors: [
        { path: 'header', message: 'must not be one of headers' },
        { path: 'headers', message: 'Host is set by the service' },
      ],
    });
    await expect(namingFields(Promise.resolve(1))).resolves.toBe(1);
  });
});

describe('the options of an endpoint', () => {
  it('are described in words', () => {
    expect(describeSignature({ profile: 'STANDARD' })).toBe('Standard Webhooks');
    expect(describeSignature({ profile: 'SVIX' })).toBe('Standard Webhooks, also as Svix');
    expect(describeSignature(CUSTOM)).toBe('Standard Webhooks, also as X-Acme-Signature');
  });

  it('are listed only if one is not the usual one', () => {
    expect(hasOptions(ENDPOINT)).toBe(false);
    const changes: Partial<Endpoint>[] = [
      { uid: 'acme' },
      { headers: { a: 'b' } },
      { metadata: { a: 'b' } },
      { signature: { profile: 'SVIX' } },
      { bodyFormat: 'DATA' },
      { rateLimit: { requests: 1, seconds: 2 } },
      { filter: { path: 'type', op: 'eq', value: 'a' } },
      { receivesCustomerEvents: true },
    ];
    for (const change of changes) expect(hasOptions({ ...ENDPOINT, ...change })).toBe(true);
  });
});
