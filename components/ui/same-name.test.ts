import { expect, it } from 'vitest';
import { isSameName } from './same-name';

it.each([
  ['Acme Inc', 'Acme Inc'],
  ['Acme Inc', 'Acme  Inc'],
  ['Acme Inc', 'Acme\u00a0Inc'],
  ['Caf\u00e9', 'Cafe\u0301'],
  ['Acme', 'Ac\u200bme'],
  ['Acme', 'Acme\ufe0f'],
])('%j is %j as far as anybody can see', (typed, name) => {
  expect(isSameName(typed, name)).toBe(true);
});

it.each([
  ['acme', 'Acme'],
  ['Acme', 'Acme Inc'],
  ['Acme', '\u0410cme'],
  ['AcmeInc', 'Acme Inc'],
  ['', 'Acme'],
  ['', '\u3164'],
])('%j is not %j', (typed, name) => {
  expect(isSameName(typed, name)).toBe(false);
});

it('a name that nobody can see can still be pasted', () => {
  expect(isSameName('\u3164', '\u3164')).toBe(true);
});
