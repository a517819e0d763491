import { expect, it } from 'vitest';
import { type PlaceLimits, SharedPlaces } from './shared-places';

const LIMITS: PlaceLimits = { total: 8, perOwner: 4, kept: 2, few: 1, displaces: 'oldest' };

/** Places whose ends are noted by name: the letter of the owner and a number. */
function setUp(limits: Partial<PlaceLimits> = {}) {
  const places = new SharedPlaces({ ...LIMITS, ...limits });
  const ended: string[] = [];
  const take = (name: string) => places.take(name.charAt(0), () => ended.push(name));
  return { places, ended, take };
}

it('gives one owner half of the places, also while the others are free', () => {
  const { places, take } = setUp();
  const leave = ['a1', 'a2', 'a3', 'a4'].map(take);
  expect([take('a5'), places.taken]).toEqual([null, 4]);
  leave[0]?.();
  leave[0]?.();
  expect(places.taken).toBe(3);
  expect(take('a5')).not.toBeNull();
});

it('keeps the last places for owners with few', () => {
  const { ended, take } = setUp();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) take(name);
  expect(take('b4')).toBeNull();
  expect([take('c1'), take('d1')]).not.toContain(null);
  expect(ended).toEqual([]);
});

it.each([
  ['oldest', ['a1', 'b1']],
  ['newest', ['a3', 'b3']],
] as const)(
  'ends the %s of the owner with the most for one with fewer, and never the other way round',
  (displaces, ends) => {
    const { places, ended, take } = setUp({ total: 6, kept: 0, displaces });
    const leave = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map(take);
    expect([take('c1'), take('c2')]).not.toContain(null);
    expect(ended).toEqual(ends);
    expect([take('a4'), take('c3')]).toEqual([null, null]);
    // Those that were ended have left already.
    for (const each of leave) each?.();
    expect(places.taken).toBe(2);
  },
);
