import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayTakeOne, roomWithin } from './share-policy';

/** Lets projects take what they may, in any order; some let go of all they hold in between. */
const anyTraffic = fc.array(
  fc.record({ project: fc.nat({ max: 7 }), wants: fc.nat({ max: 3_000 }), letsGo: fc.boolean() }),
  { maxLength: 60 },
);

describe('room', () => {
  const MOST = 2_000;

  it('is half of all for one alone, and an even share for those who want all of it', () => {
    expect(roomWithin(MOST, { total: 0, own: 0 })).toBe(1_000);
    for (const count of [2, 3, 10, 50]) {
      const share = Math.floor(MOST / (count + 1));
      expect(roomWithin(MOST, { total: count * share, own: share })).toBeLessThanOrEqual(count / 2);
      expect(roomWithin(MOST, { total: (count - 1) * share, own: 0 })).toBeGreaterThanOrEqual(share - 1);
    }
  });

  it('is never exceeded in all, and is there for a newcomer until many have come', () => {
    fc.assert(
      fc.property(anyTraffic, (traffic) => {
        const held = new Map<number, number>();
        const total = () => [...held.values()].reduce((sum, own) => sum + own, 0);
        for (const { project, wants, letsGo } of traffic) {
          if (letsGo) held.delete(project);
          const own = held.get(project) ?? 0;
          held.set(project, own + Math.min(wants, roomWithin(MOST, { total: total(), own })));
          expect(total()).toBeLessThan(MOST);
          expect(roomWithin(MOST, { total: total(), own: 0 })).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('one more', () => {
  it('may be taken until little is free, and then only by those who hold less than others', () => {
    const MOST = 200;
    const takeAll = (own: number, others: number) => {
      let taken = own;
      while (mayTakeOne(MOST, { total: taken + others, own: taken })) taken += 1;
      return taken;
    };
    expect(takeAll(0, 0)).toBe(160);
    expect(takeAll(0, 160)).toBe(32);
    // When the first has let go of some, both come to the same.
    expect(Math.abs(takeAll(0, 89) - 89)).toBeLessThanOrEqual(1);
  });

  it('is never one too many', () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), fc.integer({ min: 1, max: 300 }), (total, own, most) => {
        if (total >= most) expect(mayTakeOne(most, { total, own })).toBe(false);
        else expect(mayTakeOne(most, { total, own: 0 })).toBe(true);
      }),
    );
  });
});
