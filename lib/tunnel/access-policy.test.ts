import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '@/lib/platform/config/config';
import { newId } from '@/lib/platform/ids';
import { setTestConfig } from '@/tests/setup/variables';
import { hashTunnelPassword, isTunnelPassword, mayEnter } from './access-policy';
import { tunnelOriginWarning } from './tunnel-origin-warning';
import type { PublicTunnel } from './types';

const id = newId();
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const open: PublicTunnel = { id, projectId: newId(), basicAuth: null, allowedCidrs: [], testResponse: null };
const locked = (username: string, password: string): PublicTunnel => ({
  ...open,
  basicAuth: { username, passwordHash: hashTunnelPassword(id, password) },
});
const enter = (tunnel: PublicTunnel, authorization: string | null = null, clientAddress = '192.0.2.7') =>
  mayEnter(tunnel, { clientAddress, authorization });

beforeAll(() => {
  setTestConfig();
});

describe('a tunnel without rules', () => {
  it('is open to every address, including an unknown one, with any credentials', () => {
    for (const address of ['192.0.2.7', '2001:db8::1', 'unknown']) {
      expect(enter(open, null, address)).toBe('ok');
      expect(enter(open, 'Bearer x', address)).toBe('ok');
    }
  });
});

describe('a tunnel with basic authentication', () => {
  it('lets in exactly its username with its password', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    const name = text.filter((each) => !each.includes(':'));
    fc.assert(
      fc.property(name, text, name, text, (username, password, otherName, otherPassword) => {
        const tunnel = locked(username, password);
        expect(enter(tunnel, basic(`${username}:${password}`))).toBe('ok');
        const isSame = username === otherName && password === otherPassword;
        expect(enter(tunnel, basic(`${otherName}:${otherPassword}`))).toBe(isSame ? 'ok' : 'credentials');
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['no credentials', null],
    ['the password alone', basic('s3cret pass')],
    ['the username alone', basic('ada:')],
    ['another scheme', `Bearer ${Buffer.from('ada:s3cret pass').toString('base64')}`],
    ['no base64', 'Basic ada:s3cret pass'],
    ['nothing after the scheme', 'Basic '],
    ['two credentials', `${basic('ada:s3cret pass')}, ${basic('x:y')}`],
    ['another case of the username', basic('Ada:s3cret pass')],
    ['more than the password', basic('ada:s3cret pass:')],
  ])('refuses %s', (_, authorization) => {
    expect(enter(locked('ada', 's3cret pass'), authorization)).toBe('credentials');
  });

  it('accepts the scheme in any case, and colons in the password', () => {
    expect(enter(locked('ada', 'a:b:c'), basic('ada:a:b:c').replace('Basic', 'bAsIc'))).toBe('ok');
  });
});

describe('a tunnel with allowed addresses', () => {
  const tunnel = { ...open, allowedCidrs: ['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32'] };

  const inside = ['192.0.2.0', '192.0.2.255', '198.51.100.7', '2001:db8:ffff::1', '::ffff:192.0.2.9'];
  const outside = ['192.0.3.0', '198.51.100.8', '2001:db9::1', '::1', 'unknown', '', '192.0.2.0/24'];
  it.each([...inside, ...outside])('lets in only those: %j', (address) => {
    expect(enter(tunnel, null, address)).toBe(inside.includes(address) ? 'ok' : 'address');
  });

  it('checks the address before the credentials, and requires both', () => {
    const both = { ...locked('ada', 's3cret pass'), allowedCidrs: ['192.0.2.0/24'] };
    expect(enter(both, basic('ada:s3cret pass'), '203.0.113.1')).toBe('address');
    expect(enter(both, basic('ada:wrong pass'), '192.0.2.1')).toBe('credentials');
    expect(enter(both, basic('ada:s3cret pass'), '192.0.2.1')).toBe('ok');
  });

  it('checks an address against as many ranges as a tunnel may have in under 0.1 ms', () => {
    const many = { ...open, allowedCidrs: Array.from({ length: 50 }, (_, n) => `10.${n}.0.0/16`) };
    const times = Array.from({ length: 20 }, () => {
      const startedAt = performance.now();
      for (let n = 0; n < 100; n++) enter(many, null, '192.0.2.1');
      return (performance.now() - startedAt) / 100;
    });
    // The minimum, because slower runs measure other work on the machine.
    expect(Math.min(...times)).toBeLessThan(0.1);
  });
});

describe('the password of a tunnel', () => {
  const first = randomBytes(32).toString('base64');
  const second = randomBytes(32).toString('base64');

  beforeEach(() => {
    setTestConfig({ ENCRYPTION_KEY: first });
  });

  it('has a different hash in each tunnel and deployment, so that it cannot be guessed from the table', () => {
    const hash = hashTunnelPassword(id, 'a long password');
    expect(hashTunnelPassword(newId(), 'a long password')).not.toEqual(hash);
    setTestConfig({ ENCRYPTION_KEY: second });
    expect(hashTunnelPassword(id, 'a long password')).not.toEqual(hash);
  });

  it('stays valid when a key is added in front', () => {
    const hash = hashTunnelPassword(id, 'a long password');
    setTestConfig({ ENCRYPTION_KEY: `${second},${first}` });
    expect(isTunnelPassword(id, 'a long password', hash)).toBe(true);
  });
});

describe('the warning about the origin of tunnels', () => {
  const APP_BASE_URL = 'https://events.example.com';
  const warningOf = (environment: Record<string, string>) => tunnelOriginWarning(parseConfig(environment));

  it.each([
    ['a deployment without TUNNEL_BASE_URL', { APP_BASE_URL }, /^TUNNEL_BASE_URL is unset: .*on another site/],
    [
      'tunnels on the site of the dashboard',
      { APP_BASE_URL, TUNNEL_BASE_URL: 'https://tunnels.example.com' },
      /both on example\.com: .*another domain/,
    ],
  ] as const)('warns of %s', (_, environment, warning) => expect(warningOf(environment)).toMatch(warning));

  it.each([
    ['tunnels on another site', { APP_BASE_URL, TUNNEL_BASE_URL: 'https://tunnels.example.net' }],
    ['sites below one public suffix', { APP_BASE_URL: 'https://a.github.io', TUNNEL_BASE_URL: 'https://b.github.io' }],
    ['a local dashboard', {}],
    ['a local dashboard with a name', { APP_BASE_URL: 'http://127.0.0.1:3000' }],
  ])('does not warn of %s', (_, environment) => expect(warningOf(environment)).toBeNull());
});
