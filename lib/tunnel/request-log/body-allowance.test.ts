import { expect, it } from 'vitest';
import { BodyAllowance } from './body-allowance';

it('a tunnel keeps bodies up to its allowance, and again in the next minute', () => {
  let now = 0;
  const allowance = new BodyAllowance(1_000, () => now);
  expect(allowance.mayKeep('a', 900)).toBe(true);
  expect(allowance.mayKeep('a', 200)).toBe(false);
  expect(allowance.mayKeep('a', 100)).toBe(true);
  now = 59_999;
  expect(allowance.mayKeep('a', 1)).toBe(false);
  now = 60_000;
  expect(allowance.mayKeep('a', 1_000)).toBe(true);
});

it('a tunnel does not use the allowance of another', () => {
  const allowance = new BodyAllowance(1_000, () => 0);
  expect(allowance.mayKeep('a', 1_000)).toBe(true);
  expect(allowance.mayKeep('b', 1_000)).toBe(true);
});
