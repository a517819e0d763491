import { describe, expect, it, vi } from 'vitest';
import { isCredentialName, isSignatureName, redactQuery, secretsInQuery } from './credential-names';

describe('the name of a header', () => {
  it.each([
    'set-cookie',
    'cookie',
    'authorization',
    'proxy-authorization',
    'x-gitlab-token',
    'x-secret-key',
    'x_api_key',
    'x-telegram-bot-api-secret-token',
    'x-amz-security-token',
    'x-client-secret',
    'apikey',
    'x-passwd',
    'session-id',
  ])('tells a credential: %s', (name) => expect(isCredentialName(name)).toBe(true));

  it.each(['content-type', 'x-ratelimit-remaining-tokens', 'x-request-id', 'cookie-policy', 'x-hub-signature'])(
    'tells no credential: %s',
    (name) => expect(isCredentialName(name)).toBe(false),
  );

  it.each([
    'webhook-signature',
    'x-hub-signature',
    'x-hub-signature-256',
    'stripe-signature',
    'x-slack-signature',
    'x-shopify-hmac-sha256',
    'paypal-transmission-sig',
    'verif-hash',
    'signature-input',
  ])('tells a signature: %s', (name) => expect(isSignatureName(name)).toBe(true));

  it.each(['webhook-id', 'webhook-timestamp', 'x-design', 'x-hashtags'])('tells no signature: %s', (name) =>
    expect(isSignatureName(name)).toBe(false),
  );

  it('is read once, also after many others have been invented', () => {
    for (let index = 0; index < 2_000; index++) isCredentialName(`x-invented-${index}`);
    const reading = vi.spyOn(RegExp.prototype, 'test');
    const verdicts = ['x-repeated-token', 'x-repeated-token', 'x-repeated'].map(isCredentialName);
    const reads = reading.mock.calls.length;
    reading.mockRestore();
    expect([verdicts, reads]).toEqual([[true, true, false], 2]);
  });

  it('is that of a signature if a source checks it', () => {
    expect([isSignatureName('x-check', ['X-Other', 'X-Check']), isSignatureName('x-check', ['X-Other'])]).toEqual([
      true,
      false,
    ]);
  });
});

it.each([
  ['a=1&token=x&b=2', 'a=1&token=[redacted]&b=2'],
  ['API%5FKEY=x==&sig=y', 'API%5FKEY=[redacted]&sig=[redacted]'],
  ['code=x&auth=y&key=z', 'code=[redacted]&auth=[redacted]&key=[redacted]'],
  [
    'jwt=x&Pwd=y&session=z&X-Amz-Credential=w',
    'jwt=[redacted]&Pwd=[redacted]&session=[redacted]&X-Amz-Credential=[redacted]',
  ],
  ['keyword=a&country_code=DE&design=b&spin=2&token=&%E0=1', 'keyword=a&country_code=DE&design=b&spin=2&token=&%E0=1'],
  ['a=1;token=x;b=2&sig=y;z', 'a=1;token=[redacted];b=2&sig=[redacted]'],
  ['to=https%3A%2F%2Fx%2F%3Ftoken%3Dabc%26a%3D1', 'to=https%3A%2F%2Fx%2F%3Ftoken%3D[redacted]%26a%3D1'],
  ['to=https://x/?a=1%26sig=y%23code=z&b=2', 'to=https://x/?a=1%26sig=[redacted]%23code=[redacted]&b=2'],
  ['https%3a%2f%2fx%2f%3fa%3d1%3bapi_key%3dx', 'https%3a%2f%2fx%2f%3fa%3d1%3bapi_key%3d[redacted]'],
  ['to=https%3A%2F%2Ftoken%2F%3Fkeyword%3Da%26token', 'to=https%3A%2F%2Ftoken%2F%3Fkeyword%3Da%26token'],
  ['plain', 'plain'],
  ['', ''],
])('the query %s is shown as %s', (query, shown) => expect(redactQuery(query)).toBe(shown));

it('a query with more than 200 parameters is redacted as a whole', () => {
  const query = (count: number, separator: string) => Array.from({ length: count }, () => 'a=b').join(separator);
  for (const separator of ['&', ';', '%26', '%3b']) {
    expect(redactQuery(query(200, separator))).toBe(query(200, separator));
    expect(redactQuery(query(201, separator))).toBe('[redacted]');
  }
});

it('the secrets of a query are the values that are redacted, unless they are too short to tell anything', () => {
  expect(secretsInQuery('a=123456&token=abcdef&code=xyz&API%5FKEY=q%2Fwerty')).toEqual([
    'abcdef',
    'q%2Fwerty',
    'q/werty',
  ]);
  expect(secretsInQuery('to=https%3A%2F%2Fx%2F%3Ftoken%3Dq%252Fwerty%26a%3D123456')).toEqual([
    'q%252Fwerty',
    'q%2Fwerty',
  ]);
  expect(secretsInQuery('x=1;token=p%C3%A4ss+word&sig=short')).toEqual([
    'p%C3%A4ss+word',
    'p\xc3\xa4ss+word',
    'p\xc3\xa4ss word',
  ]);
});

it('a query takes time in proportion to its length', () => {
  const startedMs = performance.now();
  for (const name of ['a', 'token', '%', '&', '=', '?', '%3F', '%3D', '%26%3D']) {
    redactQuery(name.repeat(100_000));
    secretsInQuery(name.repeat(100_000));
  }
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});
