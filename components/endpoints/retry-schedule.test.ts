import { expect, it } from 'vitest';
import { describeRetrySeconds, parseRetrySeconds } from './retry-schedule';

it.each([
  ['', []],
  ['  ', []],
  ['5, 300,1800', [5, 300, 1800]],
  ['5 300', [5, 300]],
])('reads %j as %j', (text, seconds) => {
  expect(parseRetrySeconds(text)).toEqual(seconds);
});

it.each(['five', '5, x', '-5', '0', '1.5', '1e3', '5; 6'])('returns null for %j', (text) => {
  expect(parseRetrySeconds(text)).toBeNull();
});

it('describes a schedule', () => {
  expect(describeRetrySeconds([5, 300])).toBe('After 5 s, 5 min');
});
