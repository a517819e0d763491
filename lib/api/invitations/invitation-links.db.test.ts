import { describe, expect, it } from 'vitest';
import type { Me, SignedIn } from '@/lib/auth/schema';
import type { InvitationLink, InvitationPreview } from '@/lib/orgs/schema';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { accept, invitationToken, invite, revoke, roleOf } from '@/tests/fixtures/members';
import { freshEmail, PASSWORD, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase();

const invalidToken = { status: 400, code: 'invalid_token' };
const askForLink = <T = InvitationLink>(by: TestPerson, organizationId: string, invitationId: string) =>
  call<T>('POST', `/api/v1/orgs/${organizationId}/invitations/${invitationId}/link`, { bearer: by.accessToken });
const me = async ({ accessToken }: Pick<TestPerson, 'accessToken'>) =>
  (await call<Me>('GET', '/api/v1/auth/me', { bearer: accessToken })).json;

/** An organization, a person it has invited, and the token of a copied link. */
async function linked(role = 'DEVELOPER') {
  const [owner, person] = [await registerPerson(), await registerPerson()];
  const { organizationId } = owner;
  const { id: invitationId } = (await invite(owner, organizationId, person.email, role)).json;
  const { status, json } = await askForLink(owner, organizationId, invitationId);
  expect(status).toBe(201);
  return { owner, organizationId, person, invitationId, token: tokenOf(json.url) };
}

const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

describe('a link to hand over', () => {
  it('shows the invitation, and lets the invited person join with its role, once', async () => {
    const { organizationId, person, token } = await linked();
    const path = '/api/v1/auth/accept-invitation/preview';
    const preview = await call<InvitationPreview>('POST', path, { body: { token } });
    expect(preview.json).toMatchObject({ role: 'DEVELOPER', email: person.email });
    expect((await accept(person, token)).status).toBe(200);
    expect(await roleOf(organizationId, person)).toBe('DEVELOPER');
    expect((await accept(person, token)).json).toMatchObject(invalidToken);
  });

  it('does not verify the address, which the emailed link does', async () => {
    const { person, token } = await linked();
    await accept(person, token);
    expect((await me(person)).user.emailVerified).toBe(false);
    const other = await linked();
    await accept(other.person, await invitationToken(other.person.email));
    expect((await me(other.person)).user.emailVerified).toBe(true);
  });

  it('replaces the link made before, and leaves the emailed one valid', async () => {
    const { owner, organizationId, invitationId, person, token } = await linked();
    const second = tokenOf((await askForLink(owner, organizationId, invitationId)).json.url);
    expect((await accept(person, token)).json).toMatchObject(invalidToken);
    const emailed = await invitationToken(person.email);
    for (const valid of [second, emailed]) {
      const preview = await call('POST', '/api/v1/auth/accept-invitation/preview', { body: { token: valid } });
      expect(preview.status).toBe(200);
    }
  });

  it('is only for the invited address, and ends with its invitation', async () => {
    const { owner, organizationId, invitationId, person, token } = await linked();
    expect((await accept(await registerPerson(), token)).json).toMatchObject(invalidToken);
    await revoke(owner, organizationId, invitationId);
    expect((await accept(person, token)).json).toMatchObject(invalidToken);
    expect((await askForLink(owner, organizationId, invitationId)).status).toBe(404);
  });

  it('is made by those who may manage the invitation, and by nobody else', async () => {
    const { owner, organizationId, invitationId } = await linked('OWNER');
    const admin = await registerMember(organizationId, 'ADMIN');
    const viewer = await registerMember(organizationId, 'VIEWER');
    expect((await askForLink(admin, organizationId, invitationId)).status).toBe(403);
    expect((await askForLink(viewer, organizationId, invitationId)).status).toBe(403);
    expect((await askForLink(await registerPerson(), organizationId, invitationId)).status).toBe(404);
    const { json } = await invite(owner, organizationId, freshEmail(), 'VIEWER');
    expect((await askForLink(admin, organizationId, json.id)).status).toBe(201);
  });

  it('is audited without its token', async () => {
    const { organizationId, invitationId, token } = await linked();
    const entry = (await auditOf(organizationId)).at(-1);
    expect(entry).toMatchObject({ action: 'invitation.link_created', target_id: invitationId });
    expect(JSON.stringify(entry)).not.toContain(token);
  });
});

describe('creating an invitation', () => {
  it('says that no email is sent while the server has no MAIL_URL', async () => {
    const owner = await registerPerson();
    expect((await invite(owner, owner.organizationId, freshEmail())).json).toMatchObject({ isEmailed: false });
  });
});

describe('someone who registers with an invitation', () => {
  const register = (body: object) =>
    call<SignedIn>('POST', '/api/v1/auth/register', { body: { password: PASSWORD, ...body } });

  it('gets no organization of their own, and joins the one that invited them', async () => {
    const owner = await registerPerson();
    const email = freshEmail();
    await invite(owner, owner.organizationId, email);
    const invitationToken_ = await invitationToken(email);
    const { status, json } = await register({ email, invitationToken: invitationToken_ });
    expect([status, json.organization]).toEqual([201, null]);
    await accept({ accessToken: json.accessToken } as TestPerson, invitationToken_);
    expect((await me(json)).organizations.map(({ id }) => id)).toEqual([owner.organizationId]);
  });

  it('gets one when the token is for another address, used or unknown', async () => {
    const { person, token } = await linked();
    await accept(person, token);
    const owner = await registerPerson();
    await invite(owner, owner.organizationId, freshEmail());
    for (const invitationToken of [token, 'unknown']) {
      const { json } = await register({ email: freshEmail(), invitationToken });
      expect(json.organization).toMatchObject({ role: 'OWNER' });
    }
  });

  it('gets one without the token, although the address is invited', async () => {
    const owner = await registerPerson();
    const email = freshEmail();
    await invite(owner, owner.organizationId, email);
    expect((await register({ email })).json.organization).toMatchObject({ role: 'OWNER' });
  });
});
