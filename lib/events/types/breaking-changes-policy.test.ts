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

describe('a comparison of schemas', () => {
  it.each([
    ['required names', { required: names(7_000) }],
    ['values', { enum: Array.from({ length: 1_000 }, (_, n) => n) }],
    ['types', { type: Array.from({ length: 7_000 }, () => 'string') }],
    ['schemas of allOf', { allOf: Array.from({ length: 400 }, () => true) }],
  ])('of many %s that references multiply ends soon', (_what, last) => {
    const schema = multiplied(last);
    findBreakingChanges({}, {});
    const before = process.cpuUsage();
    expect(findBreakingChanges(schema, structuredClone(schema))).toEqual([]);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(50);
  });

  it('of many long references ends soon', () => {
    const long = 'n'.repeat(60_000);
    const schema = {
      $defs: { [long]: {} },
      properties: Object.fromEntries(names(400).map((name) => [name, { $ref: `#/$defs/${long}` }])),
    };
    const before = process.cpuUsage();
    expect(findBreakingChanges(schema, schema)).toEqual([]);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(50);
  });

  it('names places in short', () => {
    const level = (below: object) => ({ properties: { ['n'.repeat(50_000)]: below } });
    const [change] = findBreakingChanges(level(level({ type: 'string' })), level(level({ type: 'null' })));
    expect(change).toEqual({
      path: expect.stringMatching(/^data\.n{100}…\.n{100}…$/),
      message: 'is null, and was string',
    });
  });
});
