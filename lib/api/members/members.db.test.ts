import { beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '@/lib/audit/types';
import type { SignedIn } from '@/lib/auth/schema';
import type { Member } from '@/lib/orgs/schema';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { changeRole, removeMember, roleOf, setRole } from '@/tests/fixtures/members';
import { asPerson, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, expectProblem, type Problem } from '@/tests/http/api-request';

useDatabase();

const memberAudit = async (organizationId: string) =>
  (await auditOf(organizationId)).filter(({ action }) => action.startsWith('member.'));

const list = <T = Listing<Member>>(person: TestPerson, organizationId: string, query = '') =>
  call<T>('GET', `/api/v1/orgs/${organizationId}/members${query}`, asPerson(person));

/**
 * The rule of docs/specification.md#organizations-and-roles, written independently of the code: may `actor` take
 * another member from one role to another?
 */
function mayTake(actor: Role, from: Role, to: Role | null): boolean {
  if (actor === 'OWNER') return true;
  return actor === 'ADMIN' && from !== 'OWNER' && to !== 'OWNER';
}

describe('the members of an organization', () => {
  it.each(ROLES)('are listed for %s, newest membership first, with address, name, role and start', async (role) => {
    // The membership is newer than that of the owner, the account is older.
    const member = await registerPerson();
    const owner = await registerPerson({ name: 'Ada' });
    await setRole(owner.organizationId, member, role);
    const { status, json } = await list(member, owner.organizationId);
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(json).toEqual({
      data: [
        { userId: member.userId, email: member.email, name: null, role, createdAt: time },
        { userId: owner.userId, email: owner.email, name: 'Ada', role: 'OWNER', createdAt: time },
      ],
      nextCursor: null,
    });
  });
});

describe('another member', () => {
  const people = {} as { owner: TestPerson; actor: TestPerson; target: TestPerson };
  beforeAll(async () => {
    for (const name of ['owner', 'actor', 'target'] as const) people[name] = await registerPerson();
  });

  const cases = ROLES.flatMap((by) => ROLES.flatMap((from) => [...ROLES, null].map((to) => ({ by, from, to }))));
  // Null removes the member.
  it.each(cases)('lets $by take $from to $to, or refuses', async ({ by, from, to }) => {
    const { actor, target } = people;
    const { organizationId } = people.owner;
    await setRole(organizationId, actor, by);
    await setRole(organizationId, target, from);
    const response =
      to === null
        ? await removeMember(actor, organizationId, target)
        : await changeRole<Member | Problem>(actor, organizationId, target, to);
    const isAllowed = mayTake(by, from, to);
    if (!isAllowed) expectProblem(response, 403, 'forbidden');
    else if (to === null) expect(response.status).toBe(204);
    else expect(response).toMatchObject({ status: 200, json: { userId: target.userId, role: to } });
    expect(await roleOf(organizationId, target)).toBe(isAllowed ? (to ?? undefined) : from);
  });
});

describe('leaving', () => {
  it.each(ROLES)('is open to %s, by removing themselves', async (role) => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, role);
    expect((await removeMember(member, owner.organizationId, member)).status).toBe(204);
    expect(await roleOf(owner.organizationId, member)).toBeUndefined();
    expect(await memberAudit(owner.organizationId)).toMatchObject([
      { action: 'member.left', actor_id: member.userId, target_id: member.userId, details: { role } },
    ]);
  });
});

describe('the last owner', () => {
  const refusal = (id: string) => ({
    status: 409,
    code: 'last_owner',
    organizations: [{ id, name: 'Engines' }],
  });

  it.each(['leaving', 'stepping down'] as const)('is refused %s, alone or with other members', async (how) => {
    const owner = await registerPerson({ organizationName: 'Engines' });
    const { organizationId } = owner;
    const tryIt = () =>
      how === 'leaving'
        ? removeMember(owner, organizationId, owner)
        : changeRole<Problem>(owner, organizationId, owner, 'ADMIN');
    const alone = await tryIt();
    expect(alone.json).toMatchObject(refusal(organizationId));
    expect(alone.json.detail).toContain('only member');
    await registerMember(organizationId, 'ADMIN');
    const among = await tryIt();
    expect(among.json).toMatchObject(refusal(organizationId));
    expect(among.json.detail).toContain('Transfer ownership first');
    expect(await roleOf(organizationId, owner)).toBe('OWNER');
    expect(await memberAudit(organizationId)).toEqual([]);
  });

  it.each(['leaves', 'steps down'] as const)('%s after ownership is transferred', async (how) => {
    const owner = await registerPerson();
    const { organizationId } = owner;
    const heir = await registerMember(organizationId, 'DEVELOPER');
    expect((await changeRole(owner, organizationId, heir, 'OWNER')).status).toBe(200);
    if (how === 'leaves') expect((await removeMember(owner, organizationId, owner)).status).toBe(204);
    else expect((await changeRole(owner, organizationId, owner, 'ADMIN')).json.role).toBe('ADMIN');
    expect((await removeMember(heir, organizationId, heir)).json.code).toBe('last_owner');
  });
});

describe('a removed member', () => {
  it('continues without an organization when there is no other', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'ADMIN');
    await setRole(member.organizationId, owner, 'OWNER');
    await removeMember(member, member.organizationId, member);
    await removeMember(owner, owner.organizationId, member);
    const refreshed = await call<SignedIn>('POST', '/api/v1/auth/refresh', {
      cookie: `refresh_token=${member.refreshToken}`,
    });
    expect(refreshed.json).toMatchObject({ organization: null });
    expect((await call('POST', '/api/v1/orgs', asPerson(refreshed.json, { name: 'New' }))).status).toBe(201);
  });
});
