import { expect, it } from 'vitest';
import { roleRefusal } from './role-refusal';

it.each(['DEVELOPER', 'ADMIN', 'OWNER'] as const)('lets %s write in a project', (role) => {
  expect(roleRefusal(role, 'endpoint.manage')).toBeUndefined();
});

it('tells a viewer why not', () => {
  expect(roleRefusal('VIEWER', 'endpoint.manage')).toBe('Your role here is viewer; this needs developer or higher.');
});

it('asks for nothing higher than an owner', () => {
  expect(roleRefusal('ADMIN', 'organization.export')).toBe('Your role here is admin; this needs owner.');
});

it('leaves a role that is not known yet to the server', () => {
  expect(roleRefusal(undefined, 'organization.delete')).toBeUndefined();
});
