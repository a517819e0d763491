import { expect, it } from 'vitest';
import { splitPattern, TYPE_PATTERN } from './type-pattern-policy';

it.each([
  ['order.paid', { exact: 'order.paid', prefix: null }],
  ['order.*', { exact: null, prefix: 'order.' }],
  ['*', { exact: null, prefix: null }],
])('splits %s', (pattern, parts) => {
  expect(TYPE_PATTERN.test(pattern)).toBe(true);
  expect(splitPattern(pattern)).toEqual(parts);
});

it.each(['', 'order*', '.*x', '**', '*.*', 'a b', 'ä', 'x'.repeat(129), `${'x'.repeat(127)}.*`])(
  'refuses %j',
  (text) => {
    expect(TYPE_PATTERN.test(text)).toBe(false);
  },
);
