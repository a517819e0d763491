import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '@/lib/platform/config/config';
import { addressPolicy, makeAddressPolicy, privateNetworkWarning } from './address-policy';

const nothingAllowed = makeAddressPolicy([]);

describe('an address that is not public', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['the rest of loopback', '127.255.255.254'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private 10/8', '10.0.0.1'],
    ['private 172.16/12', '172.31.255.255'],
    ['private 192.168/16', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['another metadata service, in carrier-grade NAT', '100.100.100.200'],
    ['link-local', '169.254.0.1'],
    ['instance metadata', '169.254.169.254'],
    ['a host agent with a public number', '168.63.129.16'],
    ['IETF protocol assignments', '192.0.0.192'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['benchmarking', '198.19.255.255'],
    ['6to4 relay', '192.88.99.1'],
    ['AS112', '192.175.48.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['v4-mapped loopback', '::ffff:127.0.0.1'],
    ['v4-mapped, in hexadecimal', '::ffff:7f00:1'],
    ['v4-mapped public', '::ffff:8.8.8.8'],
    ['v4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['discard-only', '100::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['IPv6 benchmarking', '2001:2::1'],
    ['ORCHIDv2', '2001:20::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['newer IPv6 documentation', '3fff::1'],
    ['6to4 of loopback', '2002:7f00:1::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fd12:3456::1'],
    ['unique local metadata', 'fd00:ec2::254'],
    ['IPv6 link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['unallocated', '4000::1'],
  ])('is refused: %s', (_, address) => {
    expect(nothingAllowed(address)).toBe(false);
  });

  it.each(['localhost', '0x7f.1', '127.1', '2130706433', '', '1.1.1.1/32'])('is refused when written as %s', (text) => {
    expect(makeAddressPolicy(['0.0.0.0/0', '::/0'])(text)).toBe(false);
  });
});

describe('a public address', () => {
  it.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
    'is allowed: %s',
    (address) => {
      expect(nothingAllowed(address)).toBe(true);
    },
  );
});

describe('DELIVERY_ALLOWED_CIDRS', () => {
  it('allows the listed ranges only', () => {
    const policy = makeAddressPolicy(['10.1.0.0/16', 'fd00:1::/32']);
    expect([policy('10.1.2.3'), policy('fd00:1::5')]).toEqual([true, true]);
    expect([policy('10.2.0.1'), policy('127.0.0.1'), policy('fd00:2::5')]).toEqual([false, false, false]);
  });

  it('does not allow a v4-mapped address by its IPv4 range', () => {
    expect(makeAddressPolicy(['127.0.0.0/8'])('::ffff:127.0.0.1')).toBe(false);
  });

  it('is named in the error when an entry is not a CIDR', () => {
    expect(() => makeAddressPolicy(['10.0.0.0/99'])).toThrow('DELIVERY_ALLOWED_CIDRS');
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'opens loopback and private ranges when unset on a local stack: %s',
    (baseUrl) => {
      const policy = addressPolicy({ DELIVERY_ALLOWED_CIDRS: undefined, baseUrl });
      for (const address of ['127.0.0.1', '::1', '10.0.0.1', '172.16.0.1', '192.168.0.1', 'fd12::1']) {
        expect(policy(address), address).toBe(true);
      }
      for (const address of ['169.254.169.254', 'fd00:ec2::254', '100.64.0.1', 'fe80::1', '::ffff:127.0.0.1']) {
        expect(policy(address), address).toBe(false);
      }
    },
  );

  it('allows nothing when unset on a deployment with a public address', () => {
    const policy = addressPolicy({ DELIVERY_ALLOWED_CIDRS: undefined, baseUrl: 'https://events.example.com' });
    expect([policy('127.0.0.1'), policy('10.0.0.1'), policy('1.1.1.1')]).toEqual([false, false, true]);
  });

  it('allows nothing when set but empty, also on a local stack', () => {
    const policy = addressPolicy({ DELIVERY_ALLOWED_CIDRS: [], baseUrl: 'http://localhost:3000' });
    expect([policy('127.0.0.1'), policy('192.168.0.1')]).toEqual([false, false]);
  });
});

const address = (internal: boolean) => ({ address: '192.0.2.1', internal }) as NetworkInterfaceInfo;
const LOOPBACK = { lo: [address(true)] };
const NETWORK = { ...LOOPBACK, eth0: [address(false)] };
const warningOf = (environment: Record<string, string>, interfaces = NETWORK as NodeJS.Dict<NetworkInterfaceInfo[]>) =>
  privateNetworkWarning(parseConfig(environment), interfaces);

it('warns that deliveries may reach private addresses when APP_BASE_URL is unset on a network', () => {
  expect(warningOf({})).toMatch(/APP_BASE_URL.*private addresses.*DELIVERY_ALLOWED_CIDRS/s);
});

it.each([
  ['a public address', { APP_BASE_URL: 'https://events.example.com' }, NETWORK],
  ['a chosen local address', { APP_BASE_URL: 'http://localhost:3000' }, NETWORK],
  ['chosen ranges', { DELIVERY_ALLOWED_CIDRS: '10.0.0.0/8' }, NETWORK],
  ['no ranges', { DELIVERY_ALLOWED_CIDRS: '' }, NETWORK],
  ['no network', {}, LOOPBACK],
] as const)('does not warn with %s', (_, environment, interfaces) => {
  expect(warningOf(environment, interfaces)).toBeNull();
});
