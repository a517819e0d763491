import { expect, it } from 'vitest';
import { findTyped, nextOption } from './next-option';

const list = (...texts: string[]) => texts.map((text) => ({ text, disabled: text.startsWith('(') }));
const ROLES = list('(Owner)', 'Admin', 'Developer', '(Auditor)', 'Viewer');

it.each([
  ['ArrowDown', -1, 1],
  ['ArrowDown', 2, 4],
  ['ArrowDown', 4, 4],
  ['ArrowUp', 4, 2],
  ['ArrowUp', 1, 1],
  ['Home', 4, 1],
  ['End', 1, 4],
  ['x', 1, null],
] as const)('%s from %i moves to %s, past disabled options', (key, active, next) => {
  expect(nextOption(ROLES, active, key)).toBe(next);
});

it('moves nowhere in an empty list', () => {
  expect(nextOption([], -1, 'ArrowDown')).toBe(-1);
  expect(findTyped([], -1, 'a')).toBeNull();
});

it('finds an option by its first letters, in any case', () => {
  expect(findTyped(ROLES, -1, 'v')).toBe(4);
  expect(findTyped(ROLES, 1, 'DEV')).toBe(2);
  expect(findTyped(ROLES, 1, '(o')).toBeNull();
  expect(findTyped(ROLES, 1, 'x')).toBeNull();
});

it('the same letter again finds the next option', () => {
  const fruits = list('Apple', 'Apricot', 'Banana');
  expect(findTyped(fruits, -1, 'a')).toBe(0);
  expect(findTyped(fruits, 0, 'aa')).toBe(1);
  expect(findTyped(fruits, 1, 'aaa')).toBe(0);
});
