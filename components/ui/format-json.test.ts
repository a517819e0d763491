import { describe, expect, it } from 'vitest';
import { compactJson, prettyJson } from './format-json';

const nested = (depth: number, inner = '') => JSON.parse(`${'['.repeat(depth)}${inner}${']'.repeat(depth)}`) as unknown;

describe('formatting JSON', () => {
  it('indents a small value', () => {
    expect(prettyJson({ a: [1, { b: null }] })).toBe(JSON.stringify({ a: [1, { b: null }] }, null, 2));
  });

  it('keeps on one line what indenting would enlarge too much', () => {
    const zeros = Array(60_000).fill('0').join(',');
    expect(prettyJson(nested(40, zeros)).length).toBeLessThan(130_000);
  });

  it('describes nesting that would overflow the stack', () => {
    for (const show of [prettyJson, compactJson]) expect(show(nested(50_000))).toMatch(/nested 49999 levels/);
    expect(compactJson(nested(900))).toHaveLength(1_800);
  });
});
