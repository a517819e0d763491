import { describe, expect, it } from 'vitest';
import { ROLES } from '@/lib/audit/types';
import type { Me } from '@/lib/auth/schema';
import type { InvitationPreview } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { accept, invitationToken, invite, removeMember, roleOf, setRole } from '@/tests/fixtures/members';
import { freshEmail, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const invalidToken = { status: 400, code: 'invalid_token' };
const preview = <T = InvitationPreview>(token: string) =>
  call<T>('POST', '/api/v1/auth/accept-invitation/preview', { body: { token } });
const me = async (person: TestPerson) =>
  (await call<Me>('GET', '/api/v1/auth/me', { bearer: person.accessToken })).json;

/** An organization, a person it has invited, and the token of the mail. */
async function invited(role: string = 'DEVELOPER') {
  const [owner, person] = [await registerPerson({ organizationName: 'Engines' }), await registerPerson()];
  const { json } = await invite(owner, owner.organizationId, person.email, role);
  const token = await invitationToken(person.email);
  return { owner, organizationId: owner.organizationId, person, token, invitationId: json.id };
}

describe('accepting an invitation', () => {
  it.each(ROLES)('makes the person a member with the role %s', async (role) => {
    const { organizationId, person, token } = await invited(role);
    const response = await accept(person, token);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ organization: { id: organizationId, name: 'Engines', role } });
    expect(await roleOf(organizationId, person)).toBe(role);
    const listed = await call('GET', `/api/v1/orgs/${organizationId}/members`, { bearer: person.accessToken });
    expect(listed.status).toBe(200);
  });

  it('works for a person who registers with the invited address afterwards', async () => {
    const [owner, email] = [await registerPerson(), freshEmail()];
    await invite(owner, owner.organizationId, email);
    const token = await invitationToken(email);
    const person = await registerPerson({ email: email.toUpperCase() });
    expect((await accept(person, token)).json.organization.id).toBe(owner.organizationId);
  });

  it('keeps the organization of the session', async () => {
    const { organizationId, person, token } = await invited();
    await accept(person, token);
    const session = await database().query('SELECT organization_id FROM sessions WHERE user_id = $1', [person.userId]);
    expect(session.rows).toEqual([{ organization_id: person.organizationId }]);
    const switched = await call('POST', '/api/v1/auth/switch-organization', {
      bearer: person.accessToken,
      body: { organizationId },
    });
    expect(switched.json).toMatchObject({ organization: { id: organizationId } });
  });

  it('verifies the address, like a verification link', async () => {
    const { person, token } = await invited();
    expect((await me(person)).user.emailVerified).toBe(false);
    await accept(person, token);
    expect((await me(person)).user.emailVerified).toBe(true);
    const actions = (await auditOf(person.userId)).map(({ action }) => action);
    expect(actions).toContain('account.email_verified');
  });

  it('is audited with ids and roles, without the address', async () => {
    const { organizationId, person, token, invitationId } = await invited('ADMIN');
    await accept(person, token);
    const entries = (await auditOf(organizationId)).slice(-2);
    expect(entries).toMatchObject([
      { action: 'invitation.accepted', actor_id: person.userId, target_id: invitationId, details: { role: 'ADMIN' } },
      { action: 'member.added', target_id: person.userId, details: { role: 'ADMIN', invitationId } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('@');
  });
});

describe('an invitation is refused', () => {
  it('for an account with another address, and stays valid for the right one', async () => {
    const { organizationId, person, token } = await invited();
    const stranger = await registerPerson();
    expect((await accept<Problem>(stranger, token)).json).toMatchObject(invalidToken);
    expect(await roleOf(organizationId, stranger)).toBeUndefined();
    expect((await me(stranger)).user.emailVerified).toBe(false);
    expect((await accept(person, token)).status).toBe(200);
  });

  it('after it was used, also for a person removed since', async () => {
    const { owner, organizationId, person, token } = await invited();
    expect((await accept(person, token)).status).toBe(200);
    expect((await accept<Problem>(person, token)).json).toMatchObject(invalidToken);
    await removeMember(owner, organizationId, person);
    expect((await accept<Problem>(person, token)).json).toMatchObject(invalidToken);
    expect(await roleOf(organizationId, person)).toBeUndefined();
  });

  it('when it has expired, not a moment before', async () => {
    const [early, late] = [await invited(), await invited()];
    const move = (id: string, seconds: number) =>
      database().query('UPDATE invitations SET expires_at = now() + make_interval(secs => $2) WHERE id = $1', [
        id,
        seconds,
      ]);
    await move(early.invitationId, 5);
    await move(late.invitationId, 0);
    expect((await accept(early.person, early.token)).status).toBe(200);
    expect((await accept<Problem>(late.person, late.token)).json).toMatchObject(invalidToken);
    expect((await preview<Problem>(late.token)).json).toMatchObject(invalidToken);
  });

  it('when the organization is deleted', async () => {
    const { organizationId, person, token } = await invited();
    await database().query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [organizationId]);
    expect((await accept<Problem>(person, token)).json).toMatchObject(invalidToken);
    expect((await preview<Problem>(token)).json).toMatchObject(invalidToken);
  });
});

describe('a member who accepts an invitation', () => {
  it.each([
    ['VIEWER', 'ADMIN', 'ADMIN'],
    ['OWNER', 'VIEWER', 'OWNER'],
    ['ADMIN', 'ADMIN', 'ADMIN'],
  ] as const)('as %s, invited as %s, is then %s, and the link is used up', async (before, role, after) => {
    const { organizationId, person, token } = await invited(role);
    await setRole(organizationId, person, before);
    expect((await accept(person, token)).json.organization.role).toBe(after);
    expect(await roleOf(organizationId, person)).toBe(after);
    expect((await accept<Problem>(person, token)).json).toMatchObject(invalidToken);
    const changes = (await auditOf(organizationId)).filter(({ action }) => action === 'member.role_changed');
    expect(changes).toHaveLength(before === after ? 0 : 1);
  });
});

describe('the preview of an invitation', () => {
  it('shows its organization and its address, and keeps the link valid', async () => {
    const { person, token } = await invited('ADMIN');
    for (let look = 0; look < 2; look++) {
      expect((await preview(token)).json).toEqual({
        organizationName: 'Engines',
        role: 'ADMIN',
        email: person.email,
        hasAccount: true,
      });
    }
    expect((await accept(person, token)).status).toBe(200);
    expect((await preview<Problem>(token)).json).toMatchObject(invalidToken);
  });

  it('shows whether the address has an account', async () => {
    const [owner, email] = [await registerPerson(), freshEmail()];
    await invite(owner, owner.organizationId, email);
    const token = await invitationToken(email);
    expect((await preview(token)).json.hasAccount).toBe(false);
    await registerPerson({ email });
    expect((await preview(token)).json.hasAccount).toBe(true);
  });
});
