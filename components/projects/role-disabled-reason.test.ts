import { expect, it } from 'vitest';
import { roleDisabledReason } from './role-disabled-reason';

it.each(['DEVELOPER', 'ADMIN', 'OWNER'] as const)('lets %s write in a project', (role) => {
  expect(roleDisabledReason(role, 'endpoint.manage')).toBeUndefined();
});

it('tells a viewer why not', () => {
  expect(roleDisabledReason('VIEWER', 'endpoint.manage')).toBe(
    'Your role here is viewer; this needs developer or higher.',
  );
});

it('asks for nothing higher than an owner', () => {
  expect(roleDisabledReason('ADMIN', 'organization.export')).toBe('Your role here is admin; this needs owner.');
});

it('leaves a role that is not known yet to the server', () => {
  expect(roleDisabledReason(undefined, 'organization.delete')).toBeUndefined();
});
