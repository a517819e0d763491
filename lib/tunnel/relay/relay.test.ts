import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { isAlone, noteActive } from '@/lib/platform/pace';
import { TimedCache } from '@/lib/platform/timed-cache';
import { backoffMs } from '@/lib/tunnel/client/connect';
import { setTestConfig } from '@/tests/setup/variables';
import { takeVisitTurn } from './admission';
import { BytePace } from './byte-pace';
import { BufferBudget } from './clients/budgets';
import type { ConnectedClient } from './clients/connected-client';
import { peerAddress } from './current-relay';
import { Capture } from './exchange-log';
import { pumpBody } from './flow';
import { PeerVerifier, signPeerRequest } from './peer/peer-protocol';
import { placeOf } from './relay-types';

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

it('when too much is buffered, the largest tunnel of the owner who holds most loses its largest response', () => {
  setTestConfig();
  const make = (ownerId: string, bytes: number) => {
    const tunnel = {
      options: { ownerId },
      memoryBytes: bytes,
      endLargest: vi.fn(() => Object.assign(tunnel, { memoryBytes: 0 })),
    };
    return tunnel;
  };
  const tunnels = [make('one', 60), make('another', 30), make('another', 40)];
  const budget = new BufferBudget(() => tunnels as unknown as ConnectedClient[], 100);
  for (let piece = 0; piece < 16; piece++) budget.count(128 * 1024);
  expect(tunnels.map(({ endLargest }) => endLargest.mock.calls.length)).toEqual([0, 0, 1]);
});

it('a request belongs to a tunnel by its path, and by its host when tunnels have their own', () => {
  const own = { tunnelBaseUrl: 'https://t.example' };
  expect(placeOf({ tunnelBaseUrl: undefined }, 'any', '/t/x/y')).toBe('tunnel');
  expect(placeOf({ tunnelBaseUrl: undefined }, 'any', '/t')).toBe('product');
  expect(['t.example', 'T.example:443', 'a.example', undefined].map((host) => placeOf(own, host, '/t/x'))).toEqual([
    'tunnel',
    'tunnel',
    'nothing',
    'nothing',
  ]);
  expect(['t.example', 'a.example'].map((host) => placeOf(own, host, '/login'))).toEqual(['nothing', 'product']);
  expect(placeOf(own, '10.0.0.5:3000', '/t/~peer/x')).toBe('tunnel');
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
    250, 500, 1000, 2000, 4000, 5000, 5000,
  ]);
  expect(backoffMs(20, () => 0.999)).toBeGreaterThanOrEqual(3_750);
});

describe('the signature between web processes', () => {
  const signed = { method: 'POST', path: '/t/~peer/x', tunnelId: 'x', connectionId: 'c', headHash: 'a' };

  it('is valid once, for a minute, with any secret of the list', () => {
    const old = 'o'.repeat(32);
    const current = 'c'.repeat(32);
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
    const changed = { method: 'GET', path: '/t/~peer/y', tunnelId: 'y', connectionId: 'd', headHash: 'b' };
    for (const [name, value] of Object.entries(changed)) {
      const headers = signPeerRequest(signed);
      expect(new PeerVerifier().isValid(headers, { ...signed, [name]: value }), name).toBe(false);
      expect(new PeerVerifier().isValid(headers, signed), name).toBe(true);
    }
  });
});

describe('a request that begins', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    setOnce('tenants-of-projects', { get: async (ownerId: string) => ({ ownerId, cell: 'cell_00' }) });
  });
  afterEach(() => {
    vi.useRealTimers();
    for (const name of ['tenants-of-projects', 'tunnel-visits', 'active-owners']) setOnce(name, undefined);
  });

  /** Begins requests of an owner. @returns how many have their turn */
  function begin(owner: string, count: number): { begun: number; connections: PassThrough[]; errors: unknown[] } {
    const visits = { begun: 0, connections: [] as PassThrough[], errors: [] as unknown[] };
    for (let index = 0; index < count; index++) {
      const connection = new PassThrough();
      visits.connections.push(connection);
      takeVisitTurn(owner, connection).then(
        () => (visits.begun += 1),
        (error) => visits.errors.push(error),
      );
    }
    return visits;
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('requests of an owner begin 400 at once and 200 a second while others are active, and those of others do not wait', async () => {
    noteActive('other');
    const visits = begin('owner', 900);
    await pass(0);
    expect(visits.begun).toBe(401);
    const others = begin('other', 1);
    await pass(0);
    expect(others.begun).toBe(1);
    await pass(1_000);
    expect(visits.begun).toBeGreaterThan(550);
    expect(visits.begun).toBeLessThanOrEqual(610);
  });

  it('all begin at once for an owner who is alone', async () => {
    const visits = begin('lonely', 1_000);
    await pass(0);
    expect(visits.begun).toBe(1_000);
  });

  it('500 requests of an owner may wait; others get tunnel_busy a little later, and a visitor who leaves makes room', async () => {
    noteActive('other');
    const visits = begin('owner', 1_000);
    await pass(249);
    expect(visits.errors).toEqual([]);
    await pass(251);
    expect(visits.errors).toHaveLength(1_000 - 401 - 500);
    expect(visits.errors[0]).toMatchObject({ code: 'tunnel_busy' });
    visits.connections[1_000]?.destroy();
    await pass(0);
    const late = begin('owner', 1);
    await pass(0);
    expect(late.errors).toEqual([]);
  });
});

describe('the bytes of an owner', () => {
  const KIB = 1024;
  const LIMITS = { perSecond: 1_000 * KIB, burst: 1_000 * KIB };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    setOnce('active-owners', undefined);
  });

  it('an owner moves a burst at once, and rests for what is above it while others are active', () => {
    const pace = new BytePace(LIMITS);
    noteActive('other');
    const place = pace.enter('owner');
    expect(place.count(1_000 * KIB)).toBe(0);
    expect(place.count(100 * KIB)).toBeCloseTo(100);
  });

  it('nobody who is alone in the process rests', () => {
    const place = new BytePace(LIMITS).enter('owner');
    expect(Array.from({ length: 100 }, () => place.count(1_000 * KIB))).toEqual(Array(100).fill(0));
  });

  it('bytes of all places of an owner count together, and those of others apart', () => {
    const pace = new BytePace(LIMITS);
    noteActive('third');
    const [first, second, other] = ['owner', 'owner', 'other'].map((owner) => pace.enter(owner));
    first?.count(1_000 * KIB);
    expect(second?.count(100 * KIB)).toBeGreaterThan(0);
    expect(other?.count(100 * KIB)).toBe(0);
  });

  it('a thousand places of an owner move no more than one', () => {
    const perSecond = 16 * KIB * KIB;
    const pace = new BytePace({ perSecond, burst: perSecond });
    const places = Array.from({ length: 1_000 }, () => ({ place: pace.enter('owner'), freeAtMs: 0 }));
    noteActive('other');
    pace.enter('owner').count(2 * perSecond);
    let moved = 0;
    for (let ms = 0; ms < 10_000; ms += 20) {
      noteActive('other');
      for (const each of places) {
        if (each.freeAtMs > ms) continue;
        moved += 32 * KIB;
        each.freeAtMs = ms + each.place.count(32 * KIB);
      }
      vi.advanceTimersByTime(20);
    }
    // Each place begins with a chunk.
    expect((moved - 1_000 * 32 * KIB) / (10 * perSecond)).toBeLessThan(1.1);
    expect(moved / (10 * perSecond)).toBeGreaterThan(0.9);
  });

  it('a chunk of a body counts for 4 KiB at least, and a larger one for its size', () => {
    const place = new BytePace(LIMITS).enter('owner');
    noteActive('other');
    const rests = Array.from({ length: 270 }, () => place.countChunk(1));
    expect(rests.findIndex((restMs) => restMs > 0)).toBe(1_000 / 4 + 6);
    const whole = new BytePace(LIMITS).enter('owner');
    expect(whole.countChunk(1_000 * KIB)).toBe(0);
    expect(whole.countChunk(100 * KIB)).toBeCloseTo(100);
  });

  /** Moves chunks of the places of owners for ten seconds, each after its rest. @returns the bytes of each owner */
  function flood(pace: BytePace, owners: readonly string[], placesOfOwner: number): Map<string, number> {
    const moved = new Map<string, number>();
    const places = owners.flatMap((owner) =>
      Array.from({ length: placesOfOwner }, () => ({ owner, place: pace.enter(owner), freeAtMs: 0 })),
    );
    for (let ms = 0; ms < 10_000; ms += 5) {
      for (const each of places) {
        if (each.freeAtMs > ms) continue;
        each.freeAtMs = ms + each.place.countChunk(64 * KIB);
        moved.set(each.owner, (moved.get(each.owner) ?? 0) + 64 * KIB);
      }
      vi.advanceTimersByTime(5);
    }
    return moved;
  }
  const SHARED = { perSecond: 4_000 * KIB, atOnce: 100 * KIB, mostOwed: 40_000 * KIB };

  it.each([1, 8])(
    'all owners together move what the process has for all, in equal parts (%i places each)',
    (places) => {
      const owners = Array.from({ length: 20 }, (_, index) => `owner ${index}`);
      const moved = flood(new BytePace(LIMITS, SHARED), owners, places);
      const [least, most] = [Math.min(...moved.values()), Math.max(...moved.values())];
      const total = [...moved.values()].reduce((sum, bytes) => sum + bytes, 0);
      // Each place begins with a chunk.
      const shared = 10 * SHARED.perSecond + owners.length * places * 64 * KIB;
      expect(total / shared).toBeGreaterThan(0.9);
      expect(total / shared).toBeLessThan(1.1);
      // Parts differ by a chunk of each place.
      expect(most - least).toBeLessThanOrEqual(places * 64 * KIB);
    },
  );

  it('two owners who have enough for both move as much as each may', () => {
    const [first = 0, second = 0] = flood(new BytePace(LIMITS, SHARED), ['first', 'second'], 1).values();
    for (const moved of [first, second]) expect(moved / (11 * LIMITS.perSecond)).toBeGreaterThan(0.95);
  });

  it('an owner who moves little never rests while many move much', () => {
    const pace = new BytePace(LIMITS, SHARED);
    const small = pace.enter('small');
    const many = Array.from({ length: 20 }, (_, index) => ({ place: pace.enter(`owner ${index}`), freeAtMs: 0 }));
    const rests = new Set<number>();
    for (let ms = 0; ms < 10_000; ms += 5) {
      for (const each of many) if (each.freeAtMs <= ms) each.freeAtMs = ms + each.place.countChunk(64 * KIB);
      if (ms % 100 === 0) rests.add(small.countChunk(10 * KIB));
      vi.advanceTimersByTime(5);
    }
    expect([...rests]).toEqual([0]);
  });

  it('what an owner moves while it is alone is not held against it when others become active', () => {
    const place = new BytePace(LIMITS, SHARED).enter('owner');
    for (let second = 0; second < 100; second++) place.count(1_000 * KIB);
    noteActive('other');
    vi.advanceTimersByTime(1_000);
    noteActive('other');
    expect(place.count(10 * KIB)).toBe(0);
  });

  it('no rest is longer than ten seconds, so that a client answers pings in time', () => {
    const pace = new BytePace({ perSecond: KIB, burst: KIB });
    noteActive('other');
    const rests = Array.from({ length: 1_000 }, () => pace.enter('owner').count(64 * KIB));
    expect(Math.max(...rests)).toBe(10_000);
  });

  it('bytes make their owner active, and pings do not', () => {
    const place = new BytePace(LIMITS).enter('owner');
    place.count(130);
    expect(isAlone('other')).toBe(true);
    place.count(1_000);
    expect(isAlone('other')).toBe(false);
  });
});

describe('the flow of a body', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** Pumps five chunks of a kilobyte, of which each makes the source rest for 100 ms. */
  async function pump(target = new PassThrough({ highWaterMark: 1024 * 1024 })) {
    const source = Readable.from(Array.from({ length: 5 }, () => Buffer.alloc(1024)));
    let chunks = 0;
    const onChunk = () => {
      chunks += 1;
      return 100;
    };
    pumpBody(source, target, { onChunk, onBroken: () => undefined });
    await turn();
    return { source, target, chunks: () => chunks };
  }
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await turn();
  };

  it('reads the next chunk after the rest of the last one, and ends', async () => {
    const { target, chunks } = await pump();
    expect(chunks()).toBe(1);
    await pass(99);
    expect(chunks()).toBe(1);
    await pass(1);
    expect(chunks()).toBe(2);
    for (let count = 0; count < 5; count++) await pass(100);
    expect([chunks(), target.writableFinished]).toEqual([5, true]);
  });

  it('does not read during a rest although the target has room again', async () => {
    const { target, chunks } = await pump(new PassThrough({ highWaterMark: 16 }));
    target.resume();
    await turn();
    expect(chunks()).toBe(1);
  });

  it('does not read after a rest while the target is full', async () => {
    const { target, chunks } = await pump(new PassThrough({ highWaterMark: 16 }));
    await pass(200);
    expect(chunks()).toBe(1);
    target.resume();
    await turn();
    expect(chunks()).toBe(2);
  });

  it('never reads a source whose target is gone', async () => {
    const { source, target, chunks } = await pump();
    target.destroy();
    await turn();
    await pass(200);
    expect([chunks(), source.isPaused()]).toEqual([1, true]);
  });
});

describe('what the log keeps of a body', () => {
  const text = (capture: Capture) => capture.body()?.bytes.toString();

  it('the start of a body is kept, and all of it is counted', () => {
    const capture = new Capture(10);
    for (const part of ['0123', '', '45', '6789ab', 'cd']) capture.add(Buffer.from(part));
    expect([text(capture), capture.size, capture.body()?.truncated]).toEqual(['0123456789', 14, true]);
  });

  it('a body of exactly that size is not truncated, unless its end was not seen', () => {
    const capture = new Capture(4);
    capture.add(Buffer.from('0123'));
    expect(capture.body()).toEqual({ bytes: Buffer.from('0123'), truncated: false });
    expect(capture.body(false)).toEqual({ bytes: Buffer.from('0123'), truncated: true });
  });

  it('nothing is kept when nothing may be, but that a part is missing', () => {
    const capture = new Capture(0);
    capture.add(Buffer.from('0123'));
    expect([capture.size, capture.body()]).toEqual([4, null]);
    expect(capture.body(false)).toEqual({ bytes: Buffer.alloc(0), truncated: true });
  });

  it('a body in single bytes takes little more memory than its bytes', () => {
    const capture = new Capture(65_536);
    for (let byte = 0; byte < 70_000; byte++) capture.add(Buffer.from([byte % 256]));
    expect(capture.body()?.bytes).toEqual(Buffer.from(Array.from({ length: 65_536 }, (_, byte) => byte % 256)));
    expect(capture.memoryBytes).toBeLessThanOrEqual(65_536);
  });

  it('a small body does not take the memory of a large one, nor that of the read that brought it', () => {
    const capture = new Capture(65_536);
    capture.add(Buffer.alloc(1024 * 1024).subarray(0, 10));
    expect(capture.memoryBytes).toBeLessThanOrEqual(1_024);
    expect(capture.body()?.bytes.buffer.byteLength).toBeLessThanOrEqual(1_024);
  });
});
