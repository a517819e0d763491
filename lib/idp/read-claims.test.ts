import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { readClaims } from './read-claims';

const ISSUER = 'https://idp.example.com';
const CLAIMS = { sub: '1089', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', hd: 'example.com' };
const read = (claims: Record<string, unknown>) => readClaims(ISSUER, { ...CLAIMS, ...claims });

describe('the claims of a provider', () => {
  it('identify the person, their address and their workspace', () => {
    expect(read({})).toEqual({
      issuer: ISSUER,
      subject: '1089',
      verifiedEmail: 'ada@example.com',
      name: 'Ada Lovelace',
      hostedDomain: 'example.com',
    });
  });

  it('name the workspace with the claim of IDP_OAUTH_ORGANIZATION_CLAIM', () => {
    const name = 'https://example.com/domain';
    setTestConfig({ IDP_OAUTH_ORGANIZATION_CLAIM: name });
    expect(read({ [name]: 'acme.example' })?.hostedDomain).toBe('acme.example');
    expect(read({})?.hostedDomain).toBeNull();
    setTestConfig({});
  });

  it.each([undefined, null, 1089, '', 'x'.repeat(256), 'a\0b', 'ü', {}, []])(
    'identify nobody with the subject %j',
    (sub) => {
      expect(read({ sub })).toBeNull();
    },
  );

  it.each([undefined, null, false, 'true', 1, {}])('verify no address with email_verified %j', (email_verified) => {
    expect(read({ email_verified })?.verifiedEmail).toBeNull();
  });

  it.each([
    undefined,
    null,
    7,
    '',
    'ada',
    'ada@',
    'ada@example.com\0',
    `${'a'.repeat(10_000)}@example.com`,
    ['a@b.de'],
  ])('verify no invalid address: %j', (email) => {
    expect(read({ email })?.verifiedEmail).toBeNull();
  });

  it('verify an address in any case', () => {
    expect(read({ email: ' Ada@Example.COM ' })?.verifiedEmail).toBe('ada@example.com');
  });

  it.each(['ａda@example.com', 'ada@ｅxample.com', '\u212Aarl@example.com', 'ada@example。com'])(
    'do not verify the address that %s folds to: it is another mailbox',
    (email) => {
      expect(read({ email })?.verifiedEmail).toBeNull();
    },
  );

  it.each([undefined, null, 7, '', '  ', 'x'.repeat(10_000), 'Ada\0', 'Ada\nLovelace', '\u202Eadus', {}, ['Ada']])(
    'give no name for %j',
    (name) => {
      expect(read({ name })?.name).toBeNull();
    },
  );

  it('never fail, whatever their values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(CLAIMS)), fc.anything()), (claims) => {
        const person = readClaims(ISSUER, claims);
        if (person !== null) expect(person.subject).toBe(claims.sub);
      }),
    );
  });
});
