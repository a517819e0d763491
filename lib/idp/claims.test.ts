import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Name } from '@/lib/platform/text';
import { setTestConfig } from '@/tests/setup/variables';
import { nameOrganization, readClaims } from './claims';
import { describeFault } from './idp-client';

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

const ada = { hostedDomain: null, name: 'Ada Lovelace', email: 'ada.l@example.com' };
const named = (hostedDomain: string) => nameOrganization({ ...ada, hostedDomain });

describe('the organization of an account created through the provider', () => {
  it.each([
    ['acme.com', 'Acme'],
    ['acme.co.uk', 'Acme'],
    ['mail.acme.co.uk', 'Acme'],
    ['ACME.CO.UK', 'Acme'],
    ['acme.example', 'Acme'],
    ['big-corp.de', 'Big-corp'],
    ['acme.github.io', 'Acme'],
    ['xn--mller-kva.de', 'Müller'],
    ['müller.de', 'Müller'],
    ['4711.de', '4711'],
  ])('with the workspace domain %s is named %s', (domain, name) => {
    expect(named(domain)).toBe(name);
  });

  it.each([
    'co.uk',
    'com',
    'github.io',
    'localhost',
    '127.0.0.1',
    '127.1',
    '[::1]',
    '::1',
    '',
    ' ',
    '.',
    'acme..com',
    '-acme.com',
    'ada@acme.com',
    'https://acme.com/',
    'acme.com:80',
    'acme com',
    'acme\0.com',
    '<b>.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(200)}com`,
  ])('is named after the person when the domain is %j', (domain) => {
    expect(named(domain)).toBe('Ada Lovelace workspace');
  });

  it('is named after the local part of the address when the person has no name', () => {
    expect(nameOrganization({ ...ada, name: null })).toBe('ada.l workspace');
  });

  it('keeps the word workspace with the longest name', () => {
    const name = nameOrganization({ ...ada, name: `${'x'.repeat(89)}😀${'y'.repeat(9)}` });
    expect(name).toBe(`${'x'.repeat(89)} workspace`);
  });

  it('always has a valid name', () => {
    const domain = fc.oneof(fc.constant(null), fc.domain(), fc.ipV4(), fc.webUrl(), fc.string({ unit: 'binary' }));
    const name = fc.oneof(
      fc.constant(null),
      fc.string({ unit: 'binary', maxLength: 120 }).filter((text) => Name.safeParse(text).success),
    );
    fc.assert(
      fc.property(domain, name, (hostedDomain, given) => {
        const checked = given === null ? null : Name.parse(given);
        const result = nameOrganization({ hostedDomain, name: checked, email: 'ada@example.com' });
        expect(Name.parse(result)).toBe(result);
      }),
    );
  });
});

const fault = (name: string, message: string, members: object = {}) =>
  Object.assign(new Error(message), { name, ...members });

describe('the logged description of a provider error', () => {
  it.each([
    [fault('OPError', 'invalid_client (secret of ada@example.com)', { error: 'invalid_client' }), 'invalid_client'],
    [fault('RPError', 'nonce mismatch, expected s3cret, got: other'), 'nonce mismatch'],
    [fault('RPError', 'expected 200 OK, got: 404 Not Found'), 'expected 200 OK'],
    [fault('Error', 'connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [fault('TypeError', 'fetch failed', { cause: fault('Error', '', { code: 'ENOTFOUND' }) }), 'TypeError: ENOTFOUND'],
    ['text', 'unknown'],
  ])('of %s contains nothing that the message quotes', (thrown, said) => {
    expect(describeFault(thrown)).toBe(said);
  });

  it('ignores a malformed code of the provider', () => {
    expect(describeFault(fault('OPError', 'x', { error: 'ada@example.com\n{"level":60}' }))).toBe('OPError');
  });
});
