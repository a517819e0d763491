import { expect, it } from 'vitest';
import { describeMatching, percentOf } from './describe-matching';

it('counts the matching events, and says when there are more', () => {
  expect(describeMatching(12, false)).toBe('12 matching');
  expect(describeMatching(1250, true)).toBe('1,250+ matching');
});

it.each([
  [0, 0, 100],
  [0, 3, 0],
  [2, 3, 66],
  [3, 3, 100],
  [4, 3, 100],
])('shows %d of %d as %d %%', (replayed, total, percent) => {
  expect(percentOf({ replayed, total })).toBe(percent);
});
