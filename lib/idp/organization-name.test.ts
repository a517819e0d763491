import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Name } from '@/lib/platform/text';
import { nameOrganization } from './organization-name';

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
