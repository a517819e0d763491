import { expect, it } from 'vitest';
import { ACCOUNT_ITEMS, NAV_ITEMS, ORGANIZATION_ITEMS, pathOfKey } from './nav-items';

const NOTHING = { projectId: undefined, organizationId: undefined };

it('leads by one key to one page', () => {
  const keys = [...NAV_ITEMS, ...ORGANIZATION_ITEMS, ...ACCOUNT_ITEMS].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

it('reaches the pages of the account from anywhere, and those of a project from within one', () => {
  expect(pathOfKey('a', NOTHING)).toBe('/account');
  expect(pathOfKey('i', { ...NOTHING, projectId: 'p1' })).toBe('/account/sessions');
  expect(pathOfKey('e', { ...NOTHING, projectId: 'p1' })).toBe('/projects/p1/events');
  expect(pathOfKey('e', { ...NOTHING, organizationId: 'o1' })).toBeUndefined();
  expect(pathOfKey('?', { projectId: 'p1', organizationId: 'o1' })).toBeUndefined();
});

it('reaches the pages of the organization that is shown', () => {
  expect(pathOfKey('m', { ...NOTHING, organizationId: 'o1' })).toBe('/orgs/o1/members');
  expect(pathOfKey('l', { projectId: 'p1', organizationId: 'o1' })).toBe('/orgs/o1/audit');
  expect(pathOfKey('r', { ...NOTHING, organizationId: 'o1' })).toBe('/retention');
  expect(pathOfKey('r', NOTHING)).toBe('/retention');
  expect(pathOfKey('o', NOTHING)).toBeUndefined();
});
