import { describe, expect, it } from 'vitest';
import type { InvitationLink } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { erase } from '@/tests/fixtures/erasure';
import { accept, changeRole, invitationToken, invite, removeMember, roleOf } from '@/tests/fixtures/members';
import { freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

async function copyLink(by: TestPerson, organizationId: string, invitationId: string): Promise<string> {
  const path = `/api/v1/orgs/${organizationId}/invitations/${invitationId}/link`;
  const { json } = await call<InvitationLink>('POST', path, { bearer: by.accessToken });
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
  it('works while its maker may manage the invitation, also when another member is removed', async () => {
    const given = await copied();
    await removeMember(given.owner, given.organizationId, await registerMember(given.organizationId, 'ADMIN'));
    expect(await joinByLink(given)).toEqual(JOINED);
  });

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
    const [given, untouched] = [await copied(), await copied()];
    await database().query('UPDATE invitations SET link_created_by_id = NULL');
    const admin = await registerMember(given.organizationId, 'ADMIN');
    await removeMember(given.owner, given.organizationId, admin);
    expect(await joinByLink(given)).toEqual(REFUSED);
    expect(await joinByLink(untouched)).toEqual(JOINED);
  });
});
