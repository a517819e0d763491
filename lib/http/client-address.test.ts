import { describe, expect, it } from 'vitest';
import { clientAddressResolver } from './client-address';

describe('the address of a client', () => {
  it('is the address of the socket when no proxy is trusted, whatever X-Forwarded-For says', () => {
    expect(clientAddressResolver([])('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
  });

  it('is the address that a trusted proxy reports', () => {
    expect(clientAddressResolver(['10.0.0.0/8'])('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
  });

  it('is never an entry that the client itself wrote', () => {
    const resolve = clientAddressResolver(['10.0.0.0/8', '192.0.2.7']);
    expect(resolve('10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.7, 10.9.9.9')).toBe('198.51.100.1');
  });

  it('is the last valid address when a hop is invalid', () => {
    expect(clientAddressResolver(['10.0.0.0/8'])('10.1.2.3', 'evil, 10.4.4.4')).toBe('10.4.4.4');
  });

  it('is found behind 20 trusted proxies, and is the last of 20 hops behind more', () => {
    const resolve = clientAddressResolver(['10.0.0.0/8']);
    const through = (proxies: number) =>
      ['198.51.100.1', ...Array.from({ length: proxies - 1 }, (_, n) => `10.0.0.${proxies - n}`)].join(', ');
    expect(resolve('10.0.0.1', through(20))).toBe('198.51.100.1');
    expect(resolve('10.0.0.1', through(21))).toBe('10.0.0.21');
    expect(resolve('10.0.0.1', `198.51.100.1${', 10.0.0.9'.repeat(3_000)}`)).toBe('10.0.0.9');
    expect(resolve('10.0.0.1', `${'10.0.0.9, '.repeat(3_000)}198.51.100.1`)).toBe('198.51.100.1');
  });

  it.each([
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
  ])('omits the port that some proxies add: %s', (hop, address) => {
    expect(clientAddressResolver(['10.0.0.0/8'])('10.1.2.3', hop)).toBe(address);
  });

  it('trusts the proxies of a v4-mapped network, and no others', () => {
    const resolve = clientAddressResolver(['::ffff:10.0.0.0/104']);
    expect(resolve('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
    expect(resolve('11.1.2.3', '198.51.100.1')).toBe('11.1.2.3');
  });

  it('treats v4-mapped addresses as IPv4 on both sides', () => {
    expect(clientAddressResolver(['127.0.0.0/8'])('::ffff:127.0.0.1', '::ffff:198.51.100.1')).toBe('198.51.100.1');
  });

  it('stays correct for each connection when the cache overflows', () => {
    const resolve = clientAddressResolver([]);
    const addresses = Array.from({ length: 1_500 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
    for (let round = 0; round < 2; round++) {
      expect(addresses.map((address) => resolve(`::ffff:${address}`, undefined))).toEqual(addresses);
    }
    expect(resolve(undefined, undefined)).toBe('unknown');
  });

  it('supports IPv6 proxies and never mixes the two families', () => {
    const resolve = clientAddressResolver(['2001:db8::/32']);
    expect(resolve('2001:db8::1', '2001:4860::8888')).toBe('2001:4860::8888');
    expect(resolve('192.0.2.1', '198.51.100.1')).toBe('192.0.2.1');
  });
});
