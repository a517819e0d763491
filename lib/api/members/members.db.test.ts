import { beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '@/lib/audit/types';
import type { Member } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { changeRole, removeMember, roleOf, setRole } from '@/tests/fixtures/members';
import { makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

const list = <T = Listing<Member>>(person: TestPerson, organizationId: string, query = '') =>
  call<T>('GET', `/api/v1/orgs/${organizationId}/members${query}`, { bearer: person.accessToken });

const memberAudit = async (organizationId: string) =>
  (await auditOf(organizationId)).filter(({ action }) => action.startsWith('member.'));

/**
 * The rule of docs/specification.md#organizations-and-roles, written independently of the code: may `actor` take
 * another member from one role to another?
 */
function mayTake(actor: Role, from: Role, to: Role | null): boolean {
  if (actor === 'OWNER') return true;
  return actor === 'ADMIN' && from !== 'OWNER' && to !== 'OWNER';
}

/** Registers the owner of an organization and two who get roles in it, before the tests of a group. */
function useThreePeople(): { owner: TestPerson; actor: TestPerson; target: TestPerson } {
  const people = {} as { owner: TestPerson; actor: TestPerson; target: TestPerson };
  beforeAll(async () => {
    for (const name of ['owner', 'actor', 'target'] as const) people[name] = await registerPerson();
  });
  return people;
}

describe('the members of an organization', () => {
  it.each(ROLES)('are listed for %s, with address, name, role and start', async (role) => {
    const owner = await registerPerson({ name: 'Ada' });
    const member = await registerMember(owner.organizationId, role);
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

  it('are listed newest first, in pages that miss and repeat no row while members join and leave', async () => {
    const owner = await registerPerson();
    const { organizationId } = owner;
    const early = await registerPerson();
    const joined = [owner];
    for (let count = 0; count < 4; count++) joined.push(await registerMember(organizationId, 'VIEWER'));
    // Their account is older than the others', their membership newer.
    await setRole(organizationId, early, 'VIEWER');
    joined.push(early);
    for (const [second, { userId }] of joined.entries()) {
      await database().query(
        `UPDATE memberships SET created_at = '2026-01-01T00:00:00Z'::timestamptz + make_interval(secs => $3)
         WHERE organization_id = $1 AND user_id = $2`,
        [organizationId, userId, second],
      );
    }
    const expected = joined.map(({ userId }) => userId).toReversed();
    const seen: string[] = [];
    for (let query = '?limit=2'; ; ) {
      const { json } = await list(owner, organizationId, query);
      seen.push(...json.data.map(({ userId }) => userId));
      if (json.nextCursor === null) break;
      query = `?limit=2&cursor=${json.nextCursor}`;
      if (seen.length !== 2) continue;
      await registerMember(organizationId, 'ADMIN');
      const last = joined.find(({ userId }) => userId === seen[1]);
      if (last !== undefined) await setRole(organizationId, last, null);
    }
    expect(seen).toEqual(expected);
  });
});

describe('changing the role of another member', () => {
  const people = useThreePeople();

  const cases = ROLES.flatMap((by) => ROLES.flatMap((from) => ROLES.map((to) => ({ by, from, to }))));
  it.each(cases)('lets $by change $from to $to, or refuses', async ({ by, from, to }) => {
    const { actor, target } = people;
    const { organizationId } = people.owner;
    await setRole(organizationId, actor, by);
    await setRole(organizationId, target, from);
    const response = await changeRole<Member | Problem>(actor, organizationId, target, to);
    if (mayTake(by, from, to)) {
      expect(response.status, response.text).toBe(200);
      expect(response.json).toEqual({
        userId: target.userId,
        email: target.email,
        name: null,
        role: to,
        createdAt: expect.any(String),
      });
      expect(await roleOf(organizationId, target)).toBe(to);
    } else {
      expect(response.json).toMatchObject({ status: 403, code: 'forbidden' });
      expect(await roleOf(organizationId, target)).toBe(from);
    }
  });
});

describe('removing another member', () => {
  const people = useThreePeople();

  const cases = ROLES.flatMap((by) => ROLES.map((from) => ({ by, from })));
  it.each(cases)('lets $by remove $from, or refuses', async ({ by, from }) => {
    const { actor, target } = people;
    const { organizationId } = people.owner;
    await setRole(organizationId, actor, by);
    await setRole(organizationId, target, from);
    const response = await removeMember(actor, organizationId, target);
    if (mayTake(by, from, null)) expect(response.status).toBe(204);
    else expect(response.json).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await roleOf(organizationId, target)).toBe(response.status === 204 ? undefined : from);
  });
});

describe('a change of members', () => {
  it('is audited with ids and roles, without addresses', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'VIEWER');
    await changeRole(owner, owner.organizationId, member, 'ADMIN');
    await changeRole(owner, owner.organizationId, member, 'ADMIN');
    await removeMember(owner, owner.organizationId, member);
    const common = { actor_id: owner.userId, target_id: member.userId, ip_address: TEST_ADDRESS };
    const entries = await memberAudit(owner.organizationId);
    expect(entries).toMatchObject([
      { ...common, action: 'member.role_changed', details: { from: 'VIEWER', to: 'ADMIN' } },
      { ...common, action: 'member.removed', details: { role: 'ADMIN' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('@');
  });

  it('applies to the next request of an existing access token', async () => {
    const owner = await registerPerson();
    const { organizationId } = owner;
    const member = await registerMember(organizationId, 'ADMIN');
    const rename = () =>
      call('PATCH', `/api/v1/orgs/${organizationId}`, { bearer: member.accessToken, body: { name: 'Theirs' } });
    expect((await rename()).status).toBe(200);
    await changeRole(owner, organizationId, member, 'VIEWER');
    expect((await rename()).status).toBe(403);
    expect((await list(member, organizationId)).status).toBe(200);
    const project = await makeProject(owner);
    const read = () => call('GET', `/api/v1/projects/${project.id}`, { bearer: member.accessToken });
    expect((await read()).status).toBe(200);
    await removeMember(owner, organizationId, member);
    expect((await list(member, organizationId)).status).toBe(404);
    expect((await read()).status).toBe(404);
    expect((await rename()).status).toBe(404);
  });
});
