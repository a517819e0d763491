import { expect, it } from 'vitest';
import { isSameName } from './confirm-dialog';

it.each([
  ['Acme Inc', 'Acme Inc'],
  ['Acme Inc', 'Acme  Inc'],
  ['Acme Inc', 'Acme\u00a0Inc'],
  ['Caf\u00e9', 'Cafe\u0301'],
  ['Acme', 'Ac\u200bme'],
  ['Acme', 'Acme\ufe0f'],
])('accepts %j for %j, which look the same', (typed, name) => {
  expect(isSameName(typed, name)).toBe(true);
});

it.each([
  ['acme', 'Acme'],
  ['Acme', 'Acme Inc'],
  ['Acme', '\u0410cme'],
  ['AcmeInc', 'Acme Inc'],
  ['', 'Acme'],
  ['', '\u3164'],
])('refuses %j for %j', (typed, name) => {
  expect(isSameName(typed, name)).toBe(false);
});

it('accepts an invisible name that is pasted', () => {
  expect(isSameName('\u3164', '\u3164')).toBe(true);
});
