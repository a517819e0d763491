import { expect, it } from 'vitest';
import { parseTestData } from './test-data';

it('takes a JSON object', () => {
  expect(parseTestData(' {"a": [1, null]} ')).toEqual({ a: [1, null] });
  expect(parseTestData('{}')).toEqual({});
});

it.each(['', '[]', 'null', '"a"', '7', '{', '{a: 1}'])('refuses %j', (text) => {
  expect(parseTestData(text)).toBeNull();
});
