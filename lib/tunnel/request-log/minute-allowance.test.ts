import { expect, it } from 'vitest';
import { MinuteAllowance } from './minute-allowance';

it('a key uses up to its allowance, and again in the next minute', () => {
  let now = 0;
  const allowance = new MinuteAllowance(1_000, () => now);
  expect(allowance.take('a', 900)).toBe(true);
  expect(allowance.take('a', 200)).toBe(false);
  expect(allowance.take('a', 100)).toBe(true);
  now = 59_999;
  expect(allowance.take('a', 1)).toBe(false);
  now = 60_000;
  expect(allowance.take('a', 1_000)).toBe(true);
});

it('a key does not use the allowance of another', () => {
  const allowance = new MinuteAllowance(1_000, () => 0);
  expect(allowance.take('a', 1_000)).toBe(true);
  expect(allowance.take('b', 1_000)).toBe(true);
});

it('a bounded number of keys is counted, however many there are', () => {
  const allowance = new MinuteAllowance(1, () => 0, 3);
  for (let key = 0; key < 100; key++) expect(allowance.take(`key ${key}`, 1)).toBe(true);
  expect(allowance.size).toBeLessThanOrEqual(3);
  expect(allowance.take('key 99', 1)).toBe(false);
});
