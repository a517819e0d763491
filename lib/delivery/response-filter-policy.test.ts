import { expect, it } from 'vitest';
import { RESPONSE_FILTER, responseRangeOf } from './response-filter-policy';

it.each([
  ['503', [503, 503]],
  ['4xx', [400, 499]],
  ['5xx', [500, 599]],
  ['none', 'none'],
] as const)('%s selects %j', (filter, range) => {
  expect(RESPONSE_FILTER.test(filter)).toBe(true);
  expect(responseRangeOf(filter)).toEqual(range);
});

it('selects everything without a filter', () => {
  expect(responseRangeOf(undefined)).toBeNull();
});

it.each(['', '50', '5000', '600', '099', '6xx', '5XX', 'x', ' 503', 'None'])('refuses %j', (text) => {
  expect(RESPONSE_FILTER.test(text)).toBe(false);
});
