import { describe, expect, it } from 'vitest';
import { ROLES } from '@/lib/audit/types';
import type { Invitation } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { accept, invitationToken, invite, revoke } from '@/tests/fixtures/members';
import { freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

const list = <T = Listing<Invitation>>(person: TestPerson, organizationId: string, query = '') =>
  call<T>('GET', `/api/v1/orgs/${organizationId}/invitations${query}`, { bearer: person.accessToken });

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
    else expect(response.json).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await queuedMails(email)).toHaveLength(isAllowed ? 1 : 0);
    expect(await pendingIds(owner, owner.organizationId)).toHaveLength(isAllowed ? 1 : 0);
  });

  it('refuses the address of a member, in any spelling', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'VIEWER');
    for (const email of [member.email.toUpperCase(), owner.email]) {
      const refused = await invite<Problem>(owner, owner.organizationId, email);
      expect(refused.json).toMatchObject({ status: 409, code: 'conflict' });
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
    expect((await accept<Problem>(person, earlier)).json).toMatchObject({ status: 400, code: 'invalid_token' });
    expect((await accept(person, later)).json.organization.role).toBe('VIEWER');
    const [, again] = await invitationAudit(organizationId);
    expect(again).toMatchObject({ action: 'invitation.created', details: { replacesId: first.json.id } });
  });

  it('keeps invitations of other organizations to the same address', async () => {
    const [owner, other, person] = [await registerPerson(), await registerPerson(), await registerPerson()];
    await invite(owner, owner.organizationId, person.email);
    const token = await invitationToken(person.email);
    await invite(other, other.organizationId, person.email);
    expect((await accept(person, token)).json.organization.id).toBe(owner.organizationId);
  });
});

describe('pending invitations', () => {
  it('are listed newest first, in pages, without those accepted, revoked, expired or of others', async () => {
    const [owner, other, person] = [await registerPerson(), await registerPerson(), await registerPerson()];
    const { organizationId } = owner;
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await invite(owner, organizationId, freshEmail())).json.id);
    await invite(owner, organizationId, person.email);
    await accept(person, await invitationToken(person.email));
    const revoked = await invite(owner, organizationId, freshEmail());
    await revoke(owner, organizationId, revoked.json.id);
    const expired = await invite(owner, organizationId, freshEmail());
    await database().query('UPDATE invitations SET expires_at = now() WHERE id = $1', [expired.json.id]);
    await invite(other, other.organizationId, freshEmail());
    expect(await pendingIds(owner, organizationId)).toEqual(ids.toReversed());
    const first = await list(owner, organizationId, '?limit=2');
    const rest = await list(owner, organizationId, `?limit=2&cursor=${first.json.nextCursor}`);
    expect([...first.json.data, ...rest.json.data].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(rest.json.nextCursor).toBeNull();
  });

  it('can be sent again after one has expired', async () => {
    const [owner, email] = [await registerPerson(), freshEmail()];
    const expired = await invite(owner, owner.organizationId, email);
    await database().query('UPDATE invitations SET expires_at = now() WHERE id = $1', [expired.json.id]);
    const again = await invite(owner, owner.organizationId, email);
    expect(await pendingIds(owner, owner.organizationId)).toEqual([again.json.id]);
    const { rowCount } = await database().query('SELECT FROM invitations WHERE email = $1', [email]);
    expect(rowCount).toBe(1);
  });
});

it('audits invitations with ids and roles, without addresses', async () => {
  const owner = await registerPerson();
  const { json } = await invite(owner, owner.organizationId, freshEmail(), 'ADMIN');
  await revoke(owner, owner.organizationId, json.id);
  const common = { actor_id: owner.userId, target_id: json.id, ip_address: TEST_ADDRESS, details: { role: 'ADMIN' } };
  const entries = await invitationAudit(owner.organizationId);
  expect(entries).toMatchObject([
    { ...common, action: 'invitation.created' },
    { ...common, action: 'invitation.revoked' },
  ]);
  expect(JSON.stringify(entries)).not.toContain('@');
});

it('stores no token in plain text', async () => {
  const [owner, email] = [await registerPerson(), freshEmail()];
  await invite(owner, owner.organizationId, email);
  const token = await invitationToken(email);
  const { rows } = await database().query(
    'SELECT i::text AS row FROM invitations i UNION ALL SELECT o::text FROM outbox o',
  );
  expect(rows.some(({ row }: { row: string }) => row.includes(token))).toBe(false);
});
