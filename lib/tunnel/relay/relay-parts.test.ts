import { describe, expect, it, vi } from 'vitest';
import { TimedCache } from '@/lib/platform/timed-cache';
import { backoffMs } from '@/lib/tunnel/client/connect';
import { setTestConfig } from '@/tests/setup/variables';
import { BufferBudget } from './clients/budgets';
import type { ConnectedClient } from './clients/connected-client';
import { peerAddress } from './create-relay';
import { PeerVerifier, signPeerRequest } from './peer/peer-protocol';
import { placeOf } from './place';
import { parseTarget } from './public/route-request';

describe('the cache of who holds tunnels', () => {
  it('reads a key once for many requests at once, and again after its lifetime', async () => {
    const read = vi.fn(async (key: string) => key);
    const cache = new TimedCache(read, 20, 10);
    await Promise.all(Array.from({ length: 50 }, () => cache.get('a')));
    expect(read).toHaveBeenCalledTimes(1);
    await expect.poll(async () => (await cache.get('a')) && read.mock.calls.length).toBe(2);
  });

  it('caches a bounded number of tokens, and no failures', async () => {
    const read = vi.fn(async (key: string) => (key === 'bad' ? Promise.reject(new Error('away')) : key));
    const cache = new TimedCache(read, 10_000, 2);
    for (const key of ['a', 'b', 'c', 'b', 'a']) await cache.get(key);
    expect(read.mock.calls.map(([key]) => key)).toEqual(['a', 'b', 'c', 'a']);
    for (let count = 0; count < 2; count++) await expect(cache.get('bad')).rejects.toThrow('away');
    expect(read.mock.calls.filter(([key]) => key === 'bad')).toHaveLength(2);
  });
});

it('when too much is buffered, the largest tunnel loses its largest response', () => {
  setTestConfig();
  const make = (tunnelId: string, bytes: number) => {
    const tunnel = {
      options: { tunnelId },
      memoryBytes: bytes,
      endLargest: vi.fn(() => Object.assign(tunnel, { memoryBytes: 0 })),
    };
    return tunnel;
  };
  const [small, large] = [make('small', 40), make('large', 70)];
  const budget = new BufferBudget(() => [small, large] as unknown as ConnectedClient[], 100);
  for (let frame = 0; frame < 64; frame++) budget.count();
  expect([small.endLargest.mock.calls.length, large.endLargest.mock.calls.length]).toEqual([0, 1]);
});

it('a request belongs to a tunnel by its path, and by its host when tunnels have their own', () => {
  const own = { tunnelBaseUrl: 'https://t.example' };
  expect(placeOf({ tunnelBaseUrl: undefined }, 'any', '/t/x/y')).toBe('tunnel');
  expect(placeOf({ tunnelBaseUrl: undefined }, 'any', '/t')).toBe('product');
  expect(['t.example', 'T.example:443', 'a.example', undefined].map((host) => placeOf(own, host, '/t/x'))).toEqual([
    ...['tunnel', 'tunnel', 'nothing', 'nothing'],
  ]);
  expect(['t.example', 'a.example'].map((host) => placeOf(own, host, '/login'))).toEqual(['nothing', 'product']);
  expect(placeOf(own, '10.0.0.5:3000', '/t/~peer/x')).toBe('tunnel');
});

it('the path below the token is kept byte for byte', () => {
  const pathOf = (url: string) => parseTarget(url)?.path;
  expect(['/t/x', '/t/x/', '/t/x?a=/b', '/t/x//a/../%2e%2e?y#z'.slice(0, -2)].map(pathOf)).toEqual([
    ...['/', '/', '/?a=/b', '//a/../%2e%2e?y'],
  ]);
  expect(['/t/', '/t//x', '/u/x'].map(pathOf)).toEqual([undefined, undefined, undefined]);
});

it('other processes reach this one by its first IPv4 address, or by loopback', () => {
  const address = (of: string, family: 'IPv4' | 'IPv6', internal: boolean) =>
    ({ address: of, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as never;
  const lo = [address('127.0.0.1', 'IPv4', true)];
  expect(peerAddress(3000, { lo })).toBe('http://127.0.0.1:3000');
  expect(peerAddress(3000, { lo, eth0: [address('fe80::1', 'IPv6', false), address('10.0.0.5', 'IPv4', false)] })).toBe(
    'http://10.0.0.5:3000',
  );
});

it('attempts to connect are 0.25 to 5 seconds apart, with jitter', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map((failures) => backoffMs(failures, () => 0))).toEqual([
    ...[250, 500, 1000, 2000, 4000, 5000, 5000],
  ]);
  expect(backoffMs(20, () => 0.999)).toBeGreaterThanOrEqual(3_750);
});

describe('the signature between web processes', () => {
  const signed = { method: 'POST', path: '/t/~peer/x', tunnelId: 'x', connectionId: 'c', head: Buffer.from('{}') };

  it('is valid once, for a minute, with any secret of the list', () => {
    const [old, current] = ['o'.repeat(32), 'c'.repeat(32)];
    setTestConfig({ AUTH_SECRET: old });
    const headers = signPeerRequest(signed, 1_000_000);
    setTestConfig({ AUTH_SECRET: `${current},${old}` });
    const verifier = new PeerVerifier();
    expect(verifier.isValid(headers, signed, 1_061_000)).toBe(false);
    expect(verifier.isValid(headers, signed, 1_059_000)).toBe(true);
    expect(verifier.isValid(headers, signed, 1_059_000)).toBe(false);
    setTestConfig({ AUTH_SECRET: current });
    expect(new PeerVerifier().isValid(headers, signed, 1_000_000)).toBe(false);
  });

  it('is forgotten as soon as it expires, to make room for others', () => {
    setTestConfig();
    const verifier = new PeerVerifier(2);
    const [now, ahead, refused, later] = [0, 60_000, 0, 60_001].map((time) => signPeerRequest(signed, time));
    expect(verifier.isValid(now as Record<string, string>, signed, 0)).toBe(true);
    expect(verifier.isValid(ahead as Record<string, string>, signed, 0)).toBe(true);
    expect(verifier.isValid(refused as Record<string, string>, signed, 60_000)).toBe(false);
    expect(verifier.isValid(later as Record<string, string>, signed, 60_001)).toBe(true);
    expect(verifier.isValid(ahead as Record<string, string>, signed, 120_000)).toBe(false);
  });

  it('covers the method, path, tunnel, connection and head', () => {
    setTestConfig();
    const changed = { method: 'GET', path: '/t/~peer/y', tunnelId: 'y', connectionId: 'd', head: Buffer.from('{ }') };
    for (const [name, value] of Object.entries(changed)) {
      const headers = signPeerRequest(signed);
      expect(new PeerVerifier().isValid(headers, { ...signed, [name]: value }), name).toBe(false);
      expect(new PeerVerifier().isValid(headers, signed), name).toBe(true);
    }
  });
});
