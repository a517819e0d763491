import { expect, it } from 'vitest';
import { ACCOUNT_ITEMS, NAV_ITEMS, ORGANIZATION_ITEMS, shortcutPath } from './nav-items';

const NOTHING = { projectId: undefined, organizationId: undefined };

it('leads by one key to one page', () => {
  const keys = [...NAV_ITEMS, ...ORGANIZATION_ITEMS, ...ACCOUNT_ITEMS].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

it('reaches the pages of the account from anywhere, and those of a project from within one', () => {
  expect(shortcutPath('a', NOTHING)).toBe('/account');
  expect(shortcutPath('i', { ...NOTHING, projectId: 'p1' })).toBe('/account/sessions');
  expect(shortcutPath('e', { ...NOTHING, projectId: 'p1' })).toBe('/projects/p1/events');
  expect(shortcutPath('e', { ...NOTHING, organizationId: 'o1' })).toBeUndefined();
  expect(shortcutPath('?', { projectId: 'p1', organizationId: 'o1' })).toBeUndefined();
});

it('reaches the pages of the organization that is shown', () => {
  expect(shortcutPath('m', { ...NOTHING, organizationId: 'o1' })).toBe('/orgs/o1/members');
  expect(shortcutPath('l', { projectId: 'p1', organizationId: 'o1' })).toBe('/orgs/o1/audit');
  expect(shortcutPath('r', { ...NOTHING, organizationId: 'o1' })).toBe('/retention');
  expect(shortcutPath('r', NOTHING)).toBe('/retention');
  expect(shortcutPath('o', NOTHING)).toBeUndefined();
});
