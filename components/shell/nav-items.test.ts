import { expect, it } from 'vitest';
import { ACCOUNT_ITEMS, NAV_ITEMS, pathOfKey } from './nav-items';

it('leads by one key to one page', () => {
  const keys = [...NAV_ITEMS, ...ACCOUNT_ITEMS].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

it('reaches the pages of the account from anywhere, and those of a project from within one', () => {
  expect(pathOfKey('a', undefined)).toBe('/account');
  expect(pathOfKey('i', 'p1')).toBe('/account/sessions');
  expect(pathOfKey('e', 'p1')).toBe('/projects/p1/events');
  expect(pathOfKey('e', undefined)).toBeUndefined();
  expect(pathOfKey('?', 'p1')).toBeUndefined();
});
