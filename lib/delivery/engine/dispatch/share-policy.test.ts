import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithinShare, remainingShare } from './share-policy';

/** Projects take what they may, in any order. Some release all of it in between. */
const anyTraffic = fc.array(
  fc.record({ project: fc.nat({ max: 7 }), wants: fc.nat({ max: 3_000 }), releases: fc.boolean() }),
  { maxLength: 60 },
);

describe('the room of a project', () => {
  const MOST = 2_000;

  it('is half of all for a single project, and an even share for several projects', () => {
    expect(remainingShare(MOST, { total: 0, own: 0 })).toBe(1_000);
    for (const count of [2, 3, 10, 50]) {
      const share = Math.floor(MOST / (count + 1));
      expect(remainingShare(MOST, { total: count * share, own: share })).toBeLessThanOrEqual(count / 2);
      expect(remainingShare(MOST, { total: (count - 1) * share, own: 0 })).toBeGreaterThanOrEqual(share - 1);
    }
  });

  it('never exceeds the total, and is never zero for a new project', () => {
    fc.assert(
      fc.property(anyTraffic, (traffic) => {
        const held = new Map<number, number>();
        const total = () => [...held.values()].reduce((sum, own) => sum + own, 0);
        for (const { project, wants, releases } of traffic) {
          if (releases) held.delete(project);
          const own = held.get(project) ?? 0;
          held.set(project, own + Math.min(wants, remainingShare(MOST, { total: total(), own })));
          expect(total()).toBeLessThan(MOST);
          expect(remainingShare(MOST, { total: total(), own: 0 })).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('one more item', () => {
  it('may be taken until little is free, and then only by projects that have less than others', () => {
    const MOST = 200;
    const takeAll = (own: number, others: number) => {
      let taken = own;
      while (isWithinShare(MOST, { total: taken + others, own: taken })) taken += 1;
      return taken;
    };
    expect(takeAll(0, 0)).toBe(160);
    expect(takeAll(0, 160)).toBe(32);
    // After the first project has released some, both get the same.
    expect(Math.abs(takeAll(0, 89) - 89)).toBeLessThanOrEqual(1);
  });

  it('never exceeds the total', () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), fc.integer({ min: 1, max: 300 }), (total, own, most) => {
        if (total >= most) expect(isWithinShare(most, { total, own })).toBe(false);
        else expect(isWithinShare(most, { total, own: 0 })).toBe(true);
      }),
    );
  });
});
