import { expect, it } from 'vitest';
import type { Source } from '@/lib/incoming/schema';
import { describeUnverified } from './unverified-reason';

const AT = '2026-11-22T12:00:00.000Z';
const SECONDS = Date.parse(AT) / 1000;
const MISMATCH = 'The signature doesn’t match the source’s secret.';
const sourceOf = (provider: Source['provider'], more: Partial<Source> = {}) => ({
  provider,
  hasSecret: true,
  signatureHeader: null,
  signaturePrefix: null,
  ...more,
});
const reason = (headers: [string, string][], source: ReturnType<typeof sourceOf> | undefined) =>
  describeUnverified({ headers, createdAt: AT }, source);

it('says that the signature does not match when the request looks signed, or its source is deleted', () => {
  expect(reason([['x-hub-signature-256', 'sha256=00']], sourceOf('GITHUB'))).toBe(MISMATCH);
  expect(reason([['stripe-signature', `t=${SECONDS},v1=00`]], sourceOf('STRIPE'))).toBe(MISMATCH);
  expect(reason([['x-hub-signature-256', '[redacted]']], sourceOf('GITHUB'))).toBe(MISMATCH);
  expect(reason([], undefined)).toBe(MISMATCH);
});

it('says that the source has no secret', () => {
  expect(reason([['stripe-signature', `t=${SECONDS},v1=00`]], sourceOf('STRIPE', { hasSecret: false }))).toContain(
    'has no secret yet',
  );
});

it.each([
  [sourceOf('GITHUB'), 'X-Hub-Signature-256'],
  [sourceOf('SHOPIFY'), 'X-Shopify-Hmac-Sha256'],
  [sourceOf('GENERIC_HMAC', { signatureHeader: 'X-Acme' }), 'X-Acme'],
])('names the header that is missing: %j', (source, header) => {
  expect(reason([['x-other', '1']], source)).toBe(`The request has no ${header} header, so it isn’t signed.`);
});

it('names the prefix that is missing', () => {
  const source = sourceOf('GENERIC_HMAC', { signatureHeader: 'X-Acme', signaturePrefix: 'v1=' });
  expect(reason([['x-acme', '00']], source)).toBe('The X-Acme header doesn’t start with v1=');
});

it.each([
  ['STRIPE', (at: number) => [['stripe-signature', `t=${at},v1=00`]]],
  [
    'SLACK',
    (at: number) => [
      ['x-slack-request-timestamp', String(at)],
      ['x-slack-signature', 'v0=00'],
    ],
  ],
  [
    'STANDARD_WEBHOOKS',
    (at: number) => [
      ['webhook-timestamp', String(at)],
      ['webhook-signature', 'v1,00'],
    ],
  ],
] as const)('tells a late %s request from a wrong signature', (provider, headersAt) => {
  const at = (offset: number) => reason(headersAt(SECONDS + offset) as [string, string][], sourceOf(provider));
  expect(at(301)).toContain('more than five minutes');
  expect(at(-301)).toContain('more than five minutes');
  expect(at(-299)).toBe(MISMATCH);
});
