import { describe, expect, it } from 'vitest';
import { ROLES } from '@/lib/audit/types';
import { Name } from '@/lib/platform/text';
import { defaultOrganizationName } from './organizations';
import { type Action, lowestRole, may, mayManage, PERMISSIONS } from './permissions-policy';

const ACTIONS = Object.keys(PERMISSIONS) as Action[];
const allowed = (role: (typeof ROLES)[number]) => ACTIONS.filter((action) => may(role, action));

describe('roles', () => {
  it('each may do more than the one below it', () => {
    for (const [index, role] of ROLES.entries()) {
      const below = ROLES[index - 1];
      if (below === undefined) continue;
      expect(allowed(role)).toEqual(expect.arrayContaining(allowed(below)));
      expect(allowed(role).length).toBeGreaterThan(allowed(below).length);
    }
  });

  it('a VIEWER may read and leave', () => {
    expect(allowed('VIEWER').every((action) => action.endsWith('.read') || action === 'member.leave')).toBe(true);
    expect(may('VIEWER', 'endpoint.secret')).toBe(false);
  });

  it('a DEVELOPER may write inside projects, but not manage projects', () => {
    expect(may('DEVELOPER', 'api_key.manage')).toBe(true);
    expect(may('DEVELOPER', 'endpoint.secret')).toBe(true);
    expect(may('DEVELOPER', 'project.manage')).toBe(false);
    expect(may('DEVELOPER', 'audit_log.read')).toBe(false);
  });

  it('an ADMIN may manage projects, members and the name, but not export, erase or make owners', () => {
    expect(
      ['project.manage', 'member.manage', 'organization.update'].every((action) => may('ADMIN', action as Action)),
    ).toBe(true);
    const ownersOnly = ACTIONS.filter((action) => !may('ADMIN', action));
    expect(ownersOnly.toSorted()).toEqual(['organization.delete', 'organization.export', 'owner.manage']);
  });

  it('an OWNER may do everything', () => {
    expect(allowed('OWNER')).toEqual(ACTIONS);
  });
});

describe('managing members', () => {
  const things = ['member.manage', 'invitation.manage'] as const;
  const before = [...ROLES, undefined];
  const cases = things.flatMap((what) =>
    ROLES.flatMap((actor) => before.flatMap((from) => before.map((to) => ({ what, actor, from, to })))),
  );

  it('is allowed to owners for all members, to admins for all except owners, and to no other role', () => {
    for (const { what, actor, from, to } of cases) {
      const expected = actor === 'OWNER' || (actor === 'ADMIN' && from !== 'OWNER' && to !== 'OWNER');
      expect(mayManage(actor, what, { from, to }), `${actor} ${what} ${from} ${to}`).toBe(expected);
    }
  });
});

it('the error names the lowest role that may', () => {
  expect(lowestRole('organization.export')).toBe('OWNER');
  expect(lowestRole('member.manage')).toBe('ADMIN');
  expect(lowestRole('delivery.retry')).toBe('DEVELOPER');
  expect(lowestRole('event.read')).toBe('VIEWER');
});

describe('the name of a first organization', () => {
  it.each([
    [{ name: 'Ada Lovelace', email: 'x@example.com' }, "Ada's organization"],
    [{ name: null, email: 'ada.lovelace@example.com' }, "Ada's organization"],
    [{ name: null, email: 'ada+work@example.com' }, "Ada's organization"],
    [{ name: '李小龙', email: 'x@example.com' }, "李小龙's organization"],
    [{ name: '!!!', email: 'émile@example.com' }, "Émile's organization"],
    [{ name: null, email: '_@example.com' }, "_@example.com's organization"],
  ])('names the organization of %j %s', (person, name) => {
    expect(defaultOrganizationName(person)).toBe(name);
  });

  it('the name is valid, however long the name of the person is', () => {
    const names = ['n'.repeat(100), '😀'.repeat(50), `${'n'.repeat(84)}😀`];
    for (const name of names) {
      expect(Name.safeParse(defaultOrganizationName({ name, email: 'a@example.com' })).success).toBe(true);
    }
  });
});
