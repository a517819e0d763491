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

it.each(['five', '5, x', '-5', '0', '1.5', '1e3', '5; 6'])('refuses %j', (text) => {
  expect(parseRetrySeconds(text)).toBeNull();
});

it('says a schedule in words', () => {
  expect(describeRetrySeconds([5, 300])).toBe('after 5 s, 5 min');
});
