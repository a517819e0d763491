import { describe, expect, it } from 'vitest';
import { ROLES } from '@/lib/audit/types';
import type { Me } from '@/lib/auth/schema';
import type { Invitation, InvitationPreview } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { accept, invitationToken, invite, removeMember, revoke, roleOf, setRole } from '@/tests/fixtures/members';
import { asPerson, freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, expectProblem, type Problem } from '@/tests/http/api-request';

useDatabase();

const list = <T = Listing<Invitation>>(person: TestPerson, organizationId: string, query = '') =>
  call<T>('GET', `/api/v1/orgs/${organizationId}/invitations${query}`, asPerson(person));

const pendingIds = async (person: TestPerson, organizationId: string) =>
  (await list(person, organizationId)).json.data.map(({ id }) => id);

const invitationAudit = async (organizationId: string) =>
  (await auditOf(organizationId)).filter(({ action }) => action.startsWith('invitation.'));

describe('inviting', () => {
  it('returns the invitation without its token, and lists it', async () => {
    const owner = await registerPerson({ name: 'Ada' });
    const email = freshEmail();
    const made = await invite(owner, owner.organizationId, ` ${email.toUpperCase()} `, 'ADMIN');
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.any(String),
      email,
      role: 'ADMIN',
      invitedBy: { id: owner.userId, name: 'Ada', email: owner.email },
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      isEmailed: false,
    });
    const lifetimeMs = Date.parse(made.json.expiresAt) - Date.parse(made.json.createdAt);
    expect(lifetimeMs).toBe(7 * 24 * 60 * 60 * 1000);
    const listed = await list(owner, owner.organizationId);
    const { isEmailed: _, ...stored } = made.json;
    expect(listed.json).toEqual({ data: [stored], nextCursor: null });
    const token = await invitationToken(email);
    expect(token).toHaveLength(43);
    expect(made.text + listed.text).not.toContain(token);
  });

  const cases = ROLES.flatMap((by) => ROLES.map((role) => ({ by, role })));
  it.each(cases)('lets $by invite $role, or refuses', async ({ by, role }) => {
    const owner = await registerPerson();
    const actor = await registerMember(owner.organizationId, by);
    const email = freshEmail();
    const response = await invite<Problem>(actor, owner.organizationId, email, role);
    const isAllowed = by === 'OWNER' || (by === 'ADMIN' && role !== 'OWNER');
    if (isAllowed) expect(response.status).toBe(201);
    else expectProblem(response, 403, 'forbidden');
    expect(await queuedMails(email)).toHaveLength(isAllowed ? 1 : 0);
    expect(await pendingIds(owner, owner.organizationId)).toHaveLength(isAllowed ? 1 : 0);
  });

  it('refuses the address of a member, in any spelling', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'VIEWER');
    for (const email of [member.email.toUpperCase(), owner.email]) {
      expectProblem(await invite<Problem>(owner, owner.organizationId, email), 409, 'conflict');
    }
    expect((await invite(owner, owner.organizationId, (await registerPerson()).email)).status).toBe(201);
  });

  it('the same address again replaces the earlier invitation: its link is refused, and a new one is mailed', async () => {
    const owner = await registerPerson();
    const { organizationId } = owner;
    const person = await registerPerson();
    const first = await invite(owner, organizationId, person.email, 'ADMIN');
    const earlier = await invitationToken(person.email);
    const second = await invite(owner, organizationId, person.email, 'VIEWER');
    const later = await invitationToken(person.email);
    expect(later).not.toBe(earlier);
    expect((await list(owner, organizationId)).json.data.map(({ id }) => id)).toEqual([second.json.id]);
    expectProblem(await accept<Problem>(person, earlier), 400, 'invalid_token');
    expect((await accept(person, later)).json.organization.role).toBe('VIEWER');
    const [, again] = await invitationAudit(organizationId);
    expect(again).toMatchObject({ action: 'invitation.created', details: { replacesId: first.json.id } });
  });

  it('keeps invitations of other organizations to the same address', async () => {
    const owner = await registerPerson();
    const other = await registerPerson();
    const person = await registerPerson();
    await invite(owner, owner.organizationId, person.email);
    const token = await invitationToken(person.email);
    await invite(other, other.organizationId, person.email);
    expect((await accept(person, token)).json.organization.id).toBe(owner.organizationId);
  });
});

describe('pending invitations', () => {
  it('are listed newest first, without those accepted, revoked, expired or of others', async () => {
    const owner = await registerPerson();
    const other = await registerPerson();
    const person = await registerPerson();
    const { organizationId } = owner;
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await invite(owner, organizationId, freshEmail())).json.id);
    await invite(owner, organizationId, person.email);
    await accept(person, await invitationToken(person.email));
    const revoked = await invite(owner, organizationId, freshEmail());
    await revoke(owner, organizationId, revoked.json.id);
    const expired = await invite(owner, organizationId, freshEmail());
    await run('UPDATE invitations SET expires_at = now() WHERE id = $1', expired.json.id);
    await invite(other, other.organizationId, freshEmail());
    expect(await pendingIds(owner, organizationId)).toEqual(ids.toReversed());
  });

  it('can be sent again after one has expired', async () => {
    const owner = await registerPerson();
    const email = freshEmail();
    const expired = await invite(owner, owner.organizationId, email);
    await run('UPDATE invitations SET expires_at = now() WHERE id = $1', expired.json.id);
    const again = await invite(owner, owner.organizationId, email);
    expect(await pendingIds(owner, owner.organizationId)).toEqual([again.json.id]);
    expect(await count('SELECT FROM invitations WHERE email = $1', email)).toBe(1);
  });
});

it('stores no token in plain text', async () => {
  const owner = await registerPerson();
  const email = freshEmail();
  await invite(owner, owner.organizationId, email);
  const token = await invitationToken(email);
  const rows = await select('SELECT i::text AS row FROM invitations i UNION ALL SELECT o::text FROM outbox o');
  expect(rows.some(({ row }: { row: string }) => row.includes(token))).toBe(false);
});

const invalidToken = { status: 400, code: 'invalid_token' };

const preview = <T = InvitationPreview>(token: string) =>
  call<T>('POST', '/api/v1/auth/accept-invitation/preview', { body: { token } });

const me = async (person: TestPerson) => (await call<Me>('GET', '/api/v1/auth/me', asPerson(person))).json;

/** An organization, a person it has invited, and the token of the mail. */
async function invited(role: string = 'DEVELOPER') {
  const owner = await registerPerson({ organizationName: 'Engines' });
  const person = await registerPerson();
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
    expect((await call('GET', `/api/v1/orgs/${organizationId}/members`, asPerson(person))).status).toBe(200);
  });

  it('keeps the organization of the session', async () => {
    const { organizationId, person, token } = await invited();
    await accept(person, token);
    const session = await database().query('SELECT organization_id FROM sessions WHERE user_id = $1', [person.userId]);
    expect(session.rows).toEqual([{ organization_id: person.organizationId }]);
    const switched = await call('POST', '/api/v1/auth/switch-organization', asPerson(person, { organizationId }));
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
    const early = await invited();
    const late = await invited();
    const move = (id: string, seconds: number) =>
      run('UPDATE invitations SET expires_at = now() + make_interval(secs => $2) WHERE id = $1', id, seconds);
    await move(early.invitationId, 5);
    await move(late.invitationId, 0);
    expect((await accept(early.person, early.token)).status).toBe(200);
    expect((await accept<Problem>(late.person, late.token)).json).toMatchObject(invalidToken);
    expect((await preview<Problem>(late.token)).json).toMatchObject(invalidToken);
  });

  it('when the organization is deleted', async () => {
    const { organizationId, person, token } = await invited();
    await run('UPDATE organizations SET deleted_at = now() WHERE id = $1', organizationId);
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
    const owner = await registerPerson();
    const email = freshEmail();
    await invite(owner, owner.organizationId, email);
    const token = await invitationToken(email);
    expect((await preview(token)).json.hasAccount).toBe(false);
    await registerPerson({ email });
    expect((await preview(token)).json.hasAccount).toBe(true);
  });
});
