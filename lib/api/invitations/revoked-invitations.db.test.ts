import { describe, expect, it } from 'vitest';
import type { CreatedInvitation, Invitation } from '@/lib/orgs/schema';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { accept, changeRole, invitationToken, invite, removeMember, revoke } from '@/tests/fixtures/members';
import { asPerson, freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const list = <T = Listing<Invitation>>(person: TestPerson, organizationId: string, query = '') =>
  call<T>('GET', `/api/v1/orgs/${organizationId}/invitations${query}`, asPerson(person));

const preview = (token: string) => call('POST', '/api/v1/auth/accept-invitation/preview', { body: { token } });

const pendingIds = async (person: TestPerson, organizationId: string) =>
  (await list(person, organizationId)).json.data.map(({ id }) => id);

const invitationAudit = async (organizationId: string) =>
  (await auditOf(organizationId)).filter(({ action }) => action.startsWith('invitation.'));

describe('revoking an invitation', () => {
  it.each([
    ['OWNER', 'OWNER', 204],
    ['OWNER', 'VIEWER', 204],
    ['ADMIN', 'ADMIN', 204],
    ['ADMIN', 'OWNER', 403],
    ['DEVELOPER', 'VIEWER', 403],
    ['VIEWER', 'VIEWER', 403],
  ] as const)('by %s, for the role %s: %i', async (by, role, status) => {
    const owner = await registerPerson();
    const actor = await registerMember(owner.organizationId, by);
    const person = await registerPerson();
    const { json } = await invite(owner, owner.organizationId, person.email, role);
    const token = await invitationToken(person.email);
    expect((await revoke(actor, owner.organizationId, json.id)).status).toBe(status);
    expect((await preview(token)).status).toBe(status === 204 ? 400 : 200);
    expect((await accept<unknown>(person, token)).status).toBe(status === 204 ? 400 : 200);
  });

  it('is also refused when an ADMIN would replace the invitation of an OWNER', async () => {
    const owner = await registerPerson();
    const admin = await registerMember(owner.organizationId, 'ADMIN');
    const email = freshEmail();
    const { json } = await invite(owner, owner.organizationId, email, 'OWNER');
    expect((await invite<Problem>(admin, owner.organizationId, email, 'VIEWER')).json.code).toBe('forbidden');
    expect(await pendingIds(owner, owner.organizationId)).toEqual([json.id]);
    expect(await queuedMails(email)).toHaveLength(1);
    expect((await invite(owner, owner.organizationId, email, 'VIEWER')).status).toBe(201);
  });

  it('takes back the mail that waits, and a replacement takes back the earlier one', async () => {
    const owner = await registerPerson();
    const [email, other] = [freshEmail(), freshEmail()];
    await invite(owner, owner.organizationId, other);
    await invite(owner, owner.organizationId, email, 'VIEWER');
    const { json } = await invite(owner, owner.organizationId, email, 'ADMIN');
    const mails = await queuedMails(email);
    expect(mails).toHaveLength(1);
    expect((await preview(tokenIn(mails[0]))).status).toBe(200);
    expect((await revoke(owner, owner.organizationId, json.id)).status).toBe(204);
    expect([await queuedMails(email), (await queuedMails(other)).length]).toEqual([[], 1]);
  });

  it('gets 404 for one that is revoked, accepted, unknown, or of another organization', async () => {
    const owner = await registerPerson();
    const other = await registerPerson();
    const person = await registerPerson();
    const { organizationId } = owner;
    const revoked = await invite(owner, organizationId, freshEmail());
    expect((await revoke(owner, organizationId, revoked.json.id)).status).toBe(204);
    const accepted = await invite(owner, organizationId, person.email);
    await accept(person, await invitationToken(person.email));
    const foreign = await invite(other, other.organizationId, freshEmail());
    for (const id of [revoked.json.id, accepted.json.id, foreign.json.id, newId(), 'x']) {
      expect((await revoke(owner, organizationId, id)).json.code).toBe('not_found');
    }
    expect(await pendingIds(other, other.organizationId)).toEqual([foreign.json.id]);
  });
});

describe('an invitation that its inviter may no longer make', () => {
  const inviting = async () => {
    const owner = await registerPerson();
    const { organizationId } = owner;
    const inviter = await registerMember(organizationId, 'OWNER');
    const asOwner = await invite(inviter, organizationId, freshEmail(), 'OWNER');
    const asAdmin = await invite(inviter, organizationId, freshEmail(), 'ADMIN');
    const others = await invite(owner, organizationId, freshEmail(), 'OWNER');
    return {
      owner,
      organizationId,
      inviter,
      asOwner: asOwner.json.id,
      asAdmin: asAdmin.json.id,
      others: others.json.id,
    };
  };
  const revocations = async (organizationId: string) =>
    (await invitationAudit(organizationId))
      .filter(({ action }) => action === 'invitation.revoked')
      .map(({ target_id }) => target_id)
      .toSorted();

  it.each(['removed', 'leaving'])('is revoked when the inviter is no longer a member (%s)', async (how) => {
    const { owner, organizationId, inviter, asOwner, asAdmin, others } = await inviting();
    await removeMember(how === 'removed' ? owner : inviter, organizationId, inviter);
    expect(await pendingIds(owner, organizationId)).toEqual([others]);
    expect(await revocations(organizationId)).toEqual([asOwner, asAdmin].toSorted());
  });

  it('is revoked by a demotion, if the new role does not allow it', async () => {
    const { owner, organizationId, inviter, asOwner, asAdmin, others } = await inviting();
    await changeRole(owner, organizationId, inviter, 'ADMIN');
    expect(await pendingIds(owner, organizationId)).toEqual([others, asAdmin]);
    expect(await revocations(organizationId)).toEqual([asOwner]);
    await changeRole(owner, organizationId, inviter, 'DEVELOPER');
    expect(await pendingIds(owner, organizationId)).toEqual([others]);
  });
});

describe('the mail of an invitation', () => {
  it('names the organization, the role and the inviter, and links to the page that accepts', async () => {
    const owner = await registerPerson({ organizationName: 'Engines' });
    const email = freshEmail();
    await invite(owner, owner.organizationId, email, 'ADMIN');
    const [mail] = await queuedMails(email);
    expect(mail?.subject).toBe("You're invited to join an organization");
    for (const part of [
      '“Engines” as an admin',
      owner.email,
      '7 days',
      'only for an account with this email address',
    ]) {
      expect(mail?.text).toContain(part);
    }
    expect(mail?.text).toContain(`http://localhost:3000/accept-invitation?token=${tokenIn(mail)}`);
    expect(mail?.html).toContain(tokenIn(mail));
  });

  it('marks an unverified address of the inviter', async () => {
    const owner = await registerPerson();
    const email = freshEmail();
    const later = freshEmail();
    const doubt = 'unverified address';
    await invite(owner, owner.organizationId, email);
    expect((await queuedMails(email))[0]?.text).toContain(doubt);
    await run('UPDATE users SET email_verified_at = now() WHERE id = $1', owner.userId);
    await invite(owner, owner.organizationId, later);
    expect((await queuedMails(later))[0]?.text).not.toContain(doubt);
  });

  it('is deleted when the account of its address is erased before it is sent', async () => {
    const owner = await registerPerson();
    const person = await registerPerson();
    await invite(owner, owner.organizationId, person.email);
    expect(await invitationToken(person.email)).not.toBe('');
    expect((await call('DELETE', '/api/v1/auth/me', asPerson(person))).status).toBe(204);
    expect(await invitationToken(person.email)).toBe('');
    expect((await list(owner, owner.organizationId)).json.data).toEqual([]);
  });
});

describe('limits', () => {
  it('one address gets five invitations a day from an organization, also when many are sent at once', async () => {
    const owner = await registerPerson();
    const email = freshEmail();
    const inviting = Array.from({ length: 12 }, () => invite<Problem>(owner, owner.organizationId, email));
    const responses = await Promise.all(inviting);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(201), ...Array(7).fill(429)]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.json.code).toBe('rate_limited');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(86_000);
    expect((await invite(owner, owner.organizationId, freshEmail())).status).toBe(201);
  });

  it('one address gets five emails a day from all organizations; strangers who use them up keep nobody from inviting', async () => {
    const owners = await Promise.all(Array.from({ length: 7 }, () => registerPerson()));
    const other = owners[0] as TestPerson;
    const email = freshEmail();
    const inviteBy = (by: TestPerson) => invite<CreatedInvitation>(by, by.organizationId, email);
    const made = await Promise.all(owners.map(inviteBy));
    expect(made.map(({ status }) => status)).toEqual(Array(7).fill(201));
    expect(await queuedMails(email)).toHaveLength(5);
    const { status, json } = await inviteBy(other);
    expect([status, json.isEmailed]).toEqual([201, false]);
    expect((await list(other, other.organizationId)).json.data).toMatchObject([{ email }]);
  });

  it('one organization sends fifty a day, one person a hundred; others are not affected', async () => {
    const owner = await registerPerson();
    const other = await registerPerson();
    const invited = async (by: TestPerson, organizationId: string, count: number) => {
      let sent = 0;
      for (let n = 0; n < count; n++) sent += (await invite(by, organizationId, freshEmail())).status === 201 ? 1 : 0;
      return sent;
    };
    expect(await invited(owner, owner.organizationId, 60)).toBe(50);
    const made: string[] = [];
    for (let count = 0; count < 2; count++) {
      const { json } = await call<{ id: string }>('POST', '/api/v1/orgs', asPerson(owner, { name: 'Another' }));
      made.push(json.id);
    }
    expect(await invited(owner, made[0] ?? '', 30)).toBe(30);
    expect(await invited(owner, made[1] ?? '', 30)).toBe(20);
    const { json } = await invite<Problem>(owner, made[1] ?? '', freshEmail());
    expect(json.code).toBe('rate_limited');
    expect((await invite(other, other.organizationId, freshEmail())).status).toBe(201);
  });

  it('a refused invitation does not count', async () => {
    const owner = await registerPerson();
    const admin = await registerMember(owner.organizationId, 'ADMIN');
    const email = freshEmail();
    for (let count = 0; count < 6; count++) {
      expect((await invite<Problem>(admin, owner.organizationId, email, 'OWNER')).status).toBe(403);
      expect((await invite<Problem>(owner, owner.organizationId, admin.email)).status).toBe(409);
    }
    expect((await invite(admin, owner.organizationId, email)).status).toBe(201);
  });
});
