import { expect, it } from 'vitest';
import { roleDisabledReason } from './role-disabled-reason';

it.each(['DEVELOPER', 'ADMIN', 'OWNER'] as const)('lets %s write in a project', (role) => {
  expect(roleDisabledReason(role, 'endpoint.manage')).toBeUndefined();
});

it('tells a viewer the reason', () => {
  expect(roleDisabledReason('VIEWER', 'endpoint.manage')).toBe(
    'Your role here is viewer; this needs developer or higher.',
  );
});

it('names the owner role without "or higher"', () => {
  expect(roleDisabledReason('ADMIN', 'organization.export')).toBe('Your role here is admin; this needs owner.');
});

it('allows an unknown role, which the server checks', () => {
  expect(roleDisabledReason(undefined, 'organization.delete')).toBeUndefined();
});
