import { describe, expect, it } from 'vitest';
import type { Me, SignedIn } from '@/lib/auth/schema';
import type { InvitationLink, InvitationPreview } from '@/lib/orgs/schema';
import { config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { erase } from '@/tests/fixtures/erasure';
import { accept, changeRole, invitationToken, invite, removeMember, revoke, roleOf } from '@/tests/fixtures/members';
import {
  asPerson,
  freshEmail,
  PASSWORD,
  registerMember,
  registerPerson,
  type TestPerson,
} from '@/tests/fixtures/people';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const invalidToken = { status: 400, code: 'invalid_token' };

const askForLink = <T = InvitationLink>(by: TestPerson, organizationId: string, invitationId: string) =>
  call<T>('POST', `/api/v1/orgs/${organizationId}/invitations/${invitationId}/link`, asPerson(by));

const me = async ({ accessToken }: Pick<TestPerson, 'accessToken'>) =>
  (await call<Me>('GET', '/api/v1/auth/me', { bearer: accessToken })).json;

/** An organization, a person it has invited, and the token of a copied link. */
async function linked(role = 'DEVELOPER') {
  const owner = await registerPerson();
  const person = await registerPerson();
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
});

describe('creating an invitation', () => {
  it('says whether an email is sent: not without MAIL_URL, unless MAIL_ENABLED says that a worker has one', async () => {
    const owner = await registerPerson();
    expect((await invite(owner, owner.organizationId, freshEmail())).json).toMatchObject({ isEmailed: false });
    const before = config();
    setOnce('config', { ...before, MAIL_ENABLED: true });
    expect((await invite(owner, owner.organizationId, freshEmail())).json).toMatchObject({ isEmailed: true });
    setOnce('config', before);
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
});

async function copyLink(by: TestPerson, organizationId: string, invitationId: string): Promise<string> {
  const path = `/api/v1/orgs/${organizationId}/invitations/${invitationId}/link`;
  const { json } = await call<InvitationLink>('POST', path, asPerson(by));
  return new URL(json.url).searchParams.get('token') ?? '';
}

/** An owner who invites an address, and another member who copies the link. */
async function copied({ as = 'ADMIN', to = 'ADMIN' }: { as?: 'OWNER' | 'ADMIN'; to?: string } = {}) {
  const owner = await registerPerson();
  const { organizationId } = owner;
  const copier = await registerMember(organizationId, as);
  const email = freshEmail();
  const { id: invitationId } = (await invite(owner, organizationId, email, to)).json;
  return {
    owner,
    organizationId,
    copier,
    email,
    invitationId,
    link: await copyLink(copier, organizationId, invitationId),
  };
}

type Copied = Awaited<ReturnType<typeof copied>>;

/** Registers the invited address, which needs no proof. */
const registerInvited = ({ email }: Copied) => registerPerson({ email });

async function join({ organizationId }: Copied, person: TestPerson, token: string) {
  const { status, json } = await accept<Problem>(person, token);
  return { status, code: json.code, role: await roleOf(organizationId, person) };
}

const joinByLink = async (given: Copied, link = given.link) => join(given, await registerInvited(given), link);

const revocations = async ({ organizationId }: Copied) =>
  (await auditOf(organizationId)).filter(({ action }) => action === 'invitation.link_revoked');

const REFUSED = { status: 400, code: 'invalid_token', role: undefined };

const JOINED = { status: 200, code: undefined, role: 'ADMIN' };

const DEPARTURES: [string, (given: Copied) => Promise<{ status: number }>][] = [
  ['is removed', ({ owner, organizationId, copier }) => removeMember(owner, organizationId, copier)],
  ['leaves', ({ organizationId, copier }) => removeMember(copier, organizationId, copier)],
  ['is demoted', ({ owner, organizationId, copier }) => changeRole(owner, organizationId, copier, 'DEVELOPER')],
  ['erases their account', ({ copier }) => erase(copier)],
];

describe.each(DEPARTURES)('when the member who copied a link %s', (_, depart) => {
  it('nobody joins by the link, and the invited person still does by the emailed one', async () => {
    const given = await copied();
    expect([200, 204]).toContain((await depart(given)).status);
    const person = await registerInvited(given);
    expect(await join(given, person, given.link)).toEqual(REFUSED);
    expect(await join(given, person, await invitationToken(given.email))).toEqual(JOINED);
  });

  it('the end of the link is audited, without the address', async () => {
    const given = await departed(depart);
    const entries = await revocations(given);
    expect(entries).toMatchObject([
      { target_id: given.invitationId, details: { role: 'ADMIN', cause: 'link_creator.may_not_invite' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(given.email);
  });

  it('links that others have copied still work', async () => {
    const given = await copied();
    const link = await copyLink(given.owner, given.organizationId, given.invitationId);
    await depart(given);
    expect(await revocations(given)).toEqual([]);
    expect(await joinByLink(given, link)).toEqual(JOINED);
  });
});

async function departed(depart: (given: Copied) => Promise<unknown>): Promise<Copied> {
  const given = await copied();
  await depart(given);
  return given;
}

describe('a copied link', () => {
  it('works after a demotion to a role that may still manage the invitation', async () => {
    const given = await copied({ as: 'OWNER' });
    await changeRole(given.owner, given.organizationId, given.copier, 'ADMIN');
    expect(await joinByLink(given)).toEqual(JOINED);
    expect(await revocations(given)).toEqual([]);
  });

  it('ends with a demotion to a role that may not manage the invitation', async () => {
    const given = await copied({ as: 'OWNER', to: 'OWNER' });
    await changeRole(given.owner, given.organizationId, given.copier, 'ADMIN');
    expect(await joinByLink(given)).toEqual(REFUSED);
    expect(await revocations(given)).toHaveLength(1);
  });

  it('of an unknown maker, as older versions store it, ends with the next departure', async () => {
    const given = await copied();
    const untouched = await copied();
    await run('UPDATE invitations SET link_created_by_id = NULL');
    const admin = await registerMember(given.organizationId, 'ADMIN');
    await removeMember(given.owner, given.organizationId, admin);
    expect(await joinByLink(given)).toEqual(REFUSED);
    expect(await joinByLink(untouched)).toEqual(JOINED);
  });
});
