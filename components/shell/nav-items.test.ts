import { expect, it } from 'vitest';
import { ACCOUNT_ITEMS, NAV_ITEMS, ORGANIZATION_ITEMS, shortcutPath } from './nav-items';

const NOTHING = { projectId: undefined, organizationId: undefined };

it('gives every page a different key', () => {
  const keys = [...NAV_ITEMS, ...ORGANIZATION_ITEMS, ...ACCOUNT_ITEMS].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

it('opens account pages from anywhere, and project pages within a project', () => {
  expect(shortcutPath('a', NOTHING)).toBe('/account');
  expect(shortcutPath('i', { ...NOTHING, projectId: 'p1' })).toBe('/account/sessions');
  expect(shortcutPath('e', { ...NOTHING, projectId: 'p1' })).toBe('/projects/p1/events');
  expect(shortcutPath('p', { ...NOTHING, projectId: 'p1' })).toBe('/projects/p1/settings');
  expect(shortcutPath('e', { ...NOTHING, organizationId: 'o1' })).toBeUndefined();
  expect(shortcutPath('?', { projectId: 'p1', organizationId: 'o1' })).toBeUndefined();
});

it('opens the pages of the current organization', () => {
  expect(shortcutPath('m', { ...NOTHING, organizationId: 'o1' })).toBe('/orgs/o1/members');
  expect(shortcutPath('l', { projectId: 'p1', organizationId: 'o1' })).toBe('/orgs/o1/audit');
  expect(shortcutPath('r', { ...NOTHING, organizationId: 'o1' })).toBe('/retention');
  expect(shortcutPath('r', NOTHING)).toBe('/retention');
  expect(shortcutPath('o', NOTHING)).toBeUndefined();
});
