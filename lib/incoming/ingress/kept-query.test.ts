import { expect, it } from 'vitest';
import { keptQuery } from './kept-request';

it.each([
  ['', null],
  ['a=1&b=%20+"', 'a=1&b=%20+"'],
  ['a=\u00c3\u00a9#b c', 'a=%c3%a9%23b%20c'],
])('the query %j is kept as %j, so that it can be appended to any URL', (raw, kept) => {
  expect(keptQuery(raw)).toBe(kept);
});
