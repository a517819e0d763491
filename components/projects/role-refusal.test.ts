import { expect, it } from 'vitest';
import { roleRefusal } from './role-refusal';

it.each(['DEVELOPER', 'ADMIN', 'OWNER'] as const)('lets %s write in a project', (role) => {
  expect(roleRefusal(role, 'DEVELOPER')).toBeUndefined();
});

it('tells a viewer why not', () => {
  expect(roleRefusal('VIEWER', 'DEVELOPER')).toBe('Your role here is viewer; this needs developer or higher.');
});

it('leaves a role that is not known yet to the server', () => {
  expect(roleRefusal(undefined, 'OWNER')).toBeUndefined();
});
