import { describe, expect, it } from 'vitest';
import { Name } from '@/lib/platform/text';
import { canonicalCidrs } from './tunnel-columns';
import { makeDefaultName } from './tunnels';

it('makes different names of two words', () => {
  const names = Array.from({ length: 200 }, makeDefaultName);
  for (const name of names) {
    expect(name).toMatch(/^[a-z]+-[a-z]+$/);
    expect(Name.parse(name)).toBe(name);
  }
  expect(new Set(names).size).toBeGreaterThan(50);
});

describe('the columns of a tunnel', () => {
  it.each([
    ['an address as a range of one', '192.0.2.7', '192.0.2.7/32'],
    ['an IPv6 address as a range of one', '2001:DB8::1', '2001:db8::1/128'],
    ['a range by its network', '192.0.2.7/24', '192.0.2.0/24'],
    ['an IPv6 range by its network', '2001:db8:0:1::9/48', '2001:db8::/48'],
    ['an IPv4 address in IPv6 form as IPv4', '::ffff:192.0.2.7', '192.0.2.7/32'],
    ['an IPv4 range in IPv6 form as IPv4', '::ffff:192.0.2.7/120', '192.0.2.0/24'],
    ['every IPv4 address', '0.0.0.0/0', '0.0.0.0/0'],
  ])('stores %s', (_, given, stored) => {
    expect(canonicalCidrs([given])).toEqual([stored]);
  });

  it('stores each range once, in the given order', () => {
    expect(canonicalCidrs(['192.0.2.7/24', '10.0.0.1', '192.0.2.0/24'])).toEqual(['192.0.2.0/24', '10.0.0.1/32']);
  });
});
