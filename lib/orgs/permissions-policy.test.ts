import { describe, expect, it } from 'vitest';
import { ROLES } from '@/lib/audit/types';
import { type Action, leastRole, may, mayManage, PERMISSIONS } from './permissions-policy';

const ACTIONS = Object.keys(PERMISSIONS) as Action[];
const allowed = (role: (typeof ROLES)[number]) => ACTIONS.filter((action) => may(role, action));

describe('roles', () => {
  it('each may all that the one below it may, and more', () => {
    for (const [index, role] of ROLES.entries()) {
      const below = ROLES[index - 1];
      if (below === undefined) continue;
      expect(allowed(role)).toEqual(expect.arrayContaining(allowed(below)));
      expect(allowed(role).length).toBeGreaterThan(allowed(below).length);
    }
  });

  it('a VIEWER reads, and may leave', () => {
    expect(allowed('VIEWER').every((action) => action.endsWith('.read') || action === 'member.leave')).toBe(true);
    expect(may('VIEWER', 'endpoint.secret')).toBe(false);
  });

  it('a DEVELOPER writes inside projects, and not the projects themselves', () => {
    expect(may('DEVELOPER', 'api_key.manage')).toBe(true);
    expect(may('DEVELOPER', 'endpoint.secret')).toBe(true);
    expect(may('DEVELOPER', 'project.manage')).toBe(false);
    expect(may('DEVELOPER', 'audit_log.read')).toBe(false);
  });

  it('an ADMIN keeps projects, members and the name, but neither exports, erases nor makes owners', () => {
    expect(
      ['project.manage', 'member.manage', 'organization.update'].every((action) => may('ADMIN', action as Action)),
    ).toBe(true);
    const ownersOnly = ACTIONS.filter((action) => !may('ADMIN', action));
    expect(ownersOnly.toSorted()).toEqual(['organization.delete', 'organization.export', 'owner.manage']);
  });

  it('an OWNER may everything', () => {
    expect(allowed('OWNER')).toEqual(ACTIONS);
  });
});

describe('who manages whom', () => {
  const things = ['member.manage', 'invitation.manage'] as const;
  const before = [...ROLES, undefined];
  const cases = things.flatMap((what) =>
    ROLES.flatMap((actor) => before.flatMap((from) => before.map((to) => ({ what, actor, from, to })))),
  );

  it('owners manage all, administrators all but owners, others nobody', () => {
    for (const { what, actor, from, to } of cases) {
      const expected = actor === 'OWNER' || (actor === 'ADMIN' && from !== 'OWNER' && to !== 'OWNER');
      expect(mayManage(actor, what, { from, to }), `${actor} ${what} ${from} ${to}`).toBe(expected);
    }
  });

  it('nobody brings anybody above themselves, or touches one who is', () => {
    const rank = (role: (typeof ROLES)[number] | undefined) => (role === undefined ? -1 : ROLES.indexOf(role));
    for (const { what, actor, from, to } of cases) {
      if (mayManage(actor, what, { from, to }))
        expect(rank(actor)).toBeGreaterThanOrEqual(Math.max(rank(from), rank(to)));
    }
  });
});

it('a refusal asks for the least role that may', () => {
  expect(leastRole('organization.export')).toBe('OWNER');
  expect(leastRole('member.manage')).toBe('ADMIN');
  expect(leastRole('delivery.retry')).toBe('DEVELOPER');
  expect(leastRole('event.read')).toBe('VIEWER');
});
