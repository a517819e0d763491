import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './breaking-changes-policy';

/** Schemas that refer to each other, so that the last one is reached in 20^13 ways. */
const multiplied = (last: object) => ({
  $defs: Object.fromEntries(
    Array.from({ length: 14 }, (_, level) => {
      const properties = Array.from({ length: 20 }, (_, n) => [`p${n}`, { $ref: `#/$defs/d${level + 1}` }]);
      return [`d${level}`, level === 13 ? last : { properties: Object.fromEntries(properties) }];
    }),
  ),
  $ref: '#/$defs/d0',
});
const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);

/** Compares schemas to the end, and counts the values that it compares. */
function compare(before: unknown, after: unknown) {
  const search = findBreakingChanges(before, after);
  for (let values = 0; ; values += 1) {
    const { done, value } = search.next();
    if (done === true) return { changes: value, values };
  }
}

describe('a comparison of schemas', () => {
  it.each([
    ['required names', { required: names(7_000) }],
    ['values', { enum: Array.from({ length: 1_000 }, (_, n) => n) }],
    ['types', { type: Array.from({ length: 7_000 }, () => 'string') }],
    ['schemas of allOf', { allOf: Array.from({ length: 400 }, () => true) }],
  ])('of many %s that references multiply ends after few of them', (_what, last) => {
    const schema = multiplied(last);
    const { changes, values } = compare(schema, structuredClone(schema));
    expect(changes).toEqual([]);
    expect(values).toBeLessThan(200);
  });

  it('of many long references ends after few of them', () => {
    const long = 'n'.repeat(60_000);
    const schema = {
      $defs: { [long]: {} },
      properties: Object.fromEntries(names(400).map((name) => [name, { $ref: `#/$defs/${long}` }])),
    };
    const { changes, values } = compare(schema, schema);
    expect(changes).toEqual([]);
    expect(values).toBeLessThan(50);
  });

  it('leaves the thread to others after each value, and ends after so much work', () => {
    const schema = multiplied({});
    const { changes, values } = compare(schema, structuredClone(schema));
    expect(changes).toEqual([]);
    expect(values).toBeGreaterThan(5_000);
    expect(values).toBeLessThan(25_000);
  });

  it('of several uses what the others have left, and the first one has no more than one alone', () => {
    const schema = multiplied({});
    const budget = { left: 80_000 };
    const stepsOf = (before: unknown) => {
      const { left } = budget;
      const search = findBreakingChanges(before, structuredClone(before), budget);
      while (search.next().done !== true);
      return left - budget.left;
    };
    expect(stepsOf({ properties: { id: {} } })).toBeLessThan(10);
    const first = stepsOf(schema);
    expect(first).toBeGreaterThanOrEqual(50_000);
    expect(first).toBeLessThan(50_100);
    expect(stepsOf(schema)).toBeLessThan(30_100);
    expect(budget.left).toBeLessThan(0);
    expect(stepsOf(schema)).toBeLessThan(100);
  });

  it('reads a schema once for a value, however often the value refers to it', () => {
    const readsOf = (references: number) => {
      let reads = 0;
      const shared = {
        get properties() {
          reads += 1;
          return { id: true };
        },
      };
      const schema = {
        $defs: { shared },
        allOf: Array.from({ length: references }, () => ({ $ref: '#/$defs/shared' })),
      };
      expect(compare(schema, { $ref: '#' }).changes).toEqual([{ path: 'data.id', message: 'is removed' }]);
      return reads;
    };
    expect(readsOf(40)).toBe(readsOf(1));
  });

  it('lists all changes of a schema with as many values as one may have', () => {
    const many = names(498);
    const schema = (type: string, below: string) => ({
      properties: Object.fromEntries(many.map((name) => [name, { type: name === 'r497' ? below : type }])),
    });
    expect(compare(schema('string', 'string'), schema('string', 'null')).changes).toEqual([
      { path: 'data.r497', message: 'is null, and was string' },
    ]);
  });

  it('names places in short', () => {
    const level = (below: object) => ({ properties: { ['n'.repeat(50_000)]: below } });
    const [change] = compare(level(level({ type: 'string' })), level(level({ type: 'null' }))).changes;
    expect(change).toEqual({
      path: expect.stringMatching(/^data\.n{100}…\.n{100}…$/),
      message: 'is null, and was string',
    });
  });
});
