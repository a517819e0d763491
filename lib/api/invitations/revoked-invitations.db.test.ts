import { describe, expect, it } from 'vitest';
import type { Invitation } from '@/lib/orgs/schema';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { accept, changeRole, invitationToken, invite, removeMember, revoke } from '@/tests/fixtures/members';
import { freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const list = <T = Listing<Invitation>>(person: TestPerson, organizationId: string, query = '') =>
  call<T>('GET', `/api/v1/orgs/${organizationId}/invitations${query}`, { bearer: person.accessToken });

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

  it('gets 404 for one that is revoked, accepted, unknown, or of another organization', async () => {
    const [owner, other, person] = [await registerPerson(), await registerPerson(), await registerPerson()];
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

  it('stays when leaving is refused', async () => {
    const owner = await registerPerson();
    const { json } = await invite(owner, owner.organizationId, freshEmail());
    expect((await removeMember(owner, owner.organizationId, owner)).status).toBe(409);
    expect(await pendingIds(owner, owner.organizationId)).toEqual([json.id]);
  });
});
