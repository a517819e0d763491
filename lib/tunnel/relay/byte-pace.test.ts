import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { isAlone, noteActive } from '@/lib/platform/pace';
import { BytePace } from './byte-pace';

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
