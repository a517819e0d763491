import { describe, expect, it } from 'vitest';
import { ROLES } from '@/lib/audit/types';
import type { SignedIn } from '@/lib/auth/schema';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { changeRole, removeMember, roleOf, setRole } from '@/tests/fixtures/members';
import { registerMember, registerPerson } from '@/tests/fixtures/people';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const memberAudit = async (organizationId: string) =>
  (await auditOf(organizationId)).filter(({ action }) => action.startsWith('member.'));

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

  it('accepts the id of the caller in any case', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'VIEWER');
    const response = await removeMember(member, owner.organizationId, { userId: member.userId.toUpperCase() });
    expect(response.status).toBe(204);
  });

  it('has an alternative: an ADMIN may also step down', async () => {
    const owner = await registerPerson();
    const admin = await registerMember(owner.organizationId, 'ADMIN');
    expect((await changeRole(admin, owner.organizationId, admin, 'VIEWER')).json.role).toBe('VIEWER');
    expect((await changeRole<Problem>(admin, owner.organizationId, admin, 'ADMIN')).status).toBe(403);
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

  it('changes nothing by becoming OWNER again', async () => {
    const owner = await registerPerson();
    expect((await changeRole(owner, owner.organizationId, owner, 'OWNER')).status).toBe(200);
    expect(await memberAudit(owner.organizationId)).toEqual([]);
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
    const made = await call('POST', '/api/v1/orgs', { bearer: refreshed.json.accessToken, body: { name: 'New' } });
    expect(made.status).toBe(201);
  });
});
