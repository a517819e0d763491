import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EmailAddress, foldEmail } from '@/lib/accounts/email-address';
import type { ErasurePreview } from '@/lib/lifecycle/schema';
import { storedRateLimitKey } from '@/lib/platform/count-in-transaction';
import { newId } from '@/lib/platform/ids';
import { keyedHash } from '@/lib/platform/keyed-hash';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { erase, proveAddress } from '@/tests/fixtures/erasure';
import { fillProject } from '@/tests/fixtures/full-project';
import { queuedMails } from '@/tests/fixtures/mails';
import { invite, setRole } from '@/tests/fixtures/members';
import {
  asPerson,
  freshEmail,
  makeProject,
  PASSWORD,
  registerMember,
  registerPerson,
  signInAgain,
  type TestPerson,
} from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call, expectProblem } from '@/tests/http/api-request';

useDatabase();

const readUser = async (userId: string) =>
  (await select('SELECT * FROM users WHERE id = $1', userId))[0] as Record<string, unknown>;

describe.each(useAdapters())('erasing the account %s', (_name, send) => {
  it('gets 204 and clears the refresh cookie', async () => {
    const person = await registerPerson();
    const response = await send('DELETE', '/api/v1/auth/me', asPerson(person));
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(response.cookies).toEqual([
      expect.stringMatching(/^refresh_token=; Path=\/api\/v1\/auth; HttpOnly; .*Max-Age=0/),
      expect.stringMatching(/^eds_session=; .*Max-Age=0/),
    ]);
  });
});

describe('erasing the account', () => {
  it('leaves a placeholder address that nobody can register or sign in with', async () => {
    const person = await registerPerson();
    await erase(person);
    const placeholder = String((await readUser(person.userId)).email);
    expect(EmailAddress.safeParse(foldEmail(placeholder)).success).toBe(false);
    for (const path of ['register', 'login', 'forgot-password']) {
      const response = await call('POST', `/api/v1/auth/${path}`, { body: { email: placeholder, password: PASSWORD } });
      expect(response.status, path).toBe(400);
    }
  });

  it('closes every session: the next request with any access or refresh token is refused', async () => {
    const person = await registerPerson();
    const elsewhere = await signInAgain(person);
    await erase(person);
    for (const { accessToken, refreshToken } of [person, elsewhere]) {
      expectProblem(await call('GET', '/api/v1/auth/me', { bearer: accessToken }), 401, 'unauthenticated');
      const refreshed = await call('POST', '/api/v1/auth/refresh', { cookie: `refresh_token=${refreshToken}` });
      expectProblem(refreshed, 401, 'invalid_refresh_token');
    }
    expect(await count('SELECT FROM sessions WHERE user_id = $1', person.userId)).toBe(0);
  });

  it('leaves no row that references the person', async () => {
    const rows = await select<{
      name: string;
      column: string;
    }>(`SELECT conrelid::regclass::text AS name, a.attname AS column FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
       WHERE contype = 'f' AND confrelid = 'users'::regclass`);
    expect(rows.length).toBeGreaterThan(4);
    const person = await registerPerson();
    await erase(person);
    for (const { name, column } of rows) {
      expect(await count(`SELECT FROM ${name} WHERE ${column} = $1`, person.userId), name).toBe(0);
    }
  });

  it('lets the address register again, as a different account', async () => {
    const person = await registerPerson();
    await erase(person);
    const again = await registerPerson({ email: person.email });
    expect(again.userId).not.toBe(person.userId);
    const me = await call<{ organizations: { id: string }[] }>('GET', '/api/v1/auth/me', asPerson(again));
    expect(me.json.organizations.map(({ id }) => id)).toEqual([again.organizationId]);
    expect((await call('GET', '/api/v1/auth/me', asPerson(person))).status).toBe(401);
  });

  it('deletes an organization in which the person was the only member, with everything in it', async () => {
    const person = await registerPerson();
    const project = await makeProject(person);
    await fillProject(project.id);
    const { key } = await makeKey(project.id, person, { name: 'server' });
    expect((await erase(person)).status).toBe(204);
    const sent = await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'a.b', data: {} } });
    expect(sent.json.code).toBe('invalid_api_key');
    expect(await count('SELECT FROM projects WHERE id = $1', project.id)).toBe(0);
    expect(await count('SELECT FROM organizations WHERE id = $1', person.organizationId)).toBe(0);
  });

  it('removes the membership of a remaining organization, and nothing else of it', async () => {
    const owner = await registerPerson();
    const project = await makeProject(owner);
    const member = await registerMember(owner.organizationId, 'OWNER');
    const { key } = await makeKey(project.id, { ...member, organizationId: owner.organizationId }, { name: 'server' });
    expect((await erase(member)).status).toBe(204);
    const rows = await select('SELECT user_id FROM memberships WHERE organization_id = $1', owner.organizationId);
    expect(rows).toEqual([{ user_id: owner.userId }]);
    expect((await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'a.b', data: {} } })).status).toBe(202);
  });

  it('changes nothing when it is refused', async () => {
    const person = await registerPerson();
    await registerMember(person.organizationId, 'ADMIN');
    const alone = await call<{ id: string }>('POST', '/api/v1/orgs', asPerson(person, { name: 'B' }));
    const before = await readUser(person.userId);
    const mails = await queuedMails(person.email);
    expect((await erase(person)).status).toBe(409);
    expect(await readUser(person.userId)).toEqual(before);
    expect(await queuedMails(person.email)).toEqual(mails);
    expect((await call('GET', `/api/v1/orgs/${alone.json.id}`, asPerson(person))).status).toBe(200);
    expect((await signInAgain(person)).userId).toBe(person.userId);
    expect((await auditOf(person.userId)).map(({ action }) => action)).not.toContain('account.deleted');
  });

  it('is tried ten times an hour, and the refusals of one person do not count for another', async () => {
    const person = await registerPerson();
    const other = await registerMember(person.organizationId, 'ADMIN');
    for (let refused = 0; refused < 10; refused++) expect((await erase(person)).json.code).toBe('last_owner');
    await setRole(person.organizationId, other, 'OWNER');
    const response = await erase(person);
    expectProblem(response, 429, 'rate_limited');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(3_000);
    expect((await readUser(person.userId)).email).toBe(person.email);
    await setRole(person.organizationId, other, 'ADMIN');
    expect((await erase(other)).status).toBe(204);
  });

  it('lists exactly the organizations that block it', async () => {
    const person = await registerPerson({ organizationName: 'First' });
    await registerMember(person.organizationId, 'VIEWER');
    const second = await call<{ id: string }>('POST', '/api/v1/orgs', asPerson(person, { name: 'Second' }));
    await registerMember(second.json.id, 'ADMIN');
    await call('POST', '/api/v1/orgs', asPerson(person, { name: 'Alone' }));
    const response = await erase(person);
    expect(response.json.organizations).toEqual([
      { id: person.organizationId, name: 'First' },
      { id: second.json.id, name: 'Second' },
    ]);
  });
});

const preview = (person: TestPerson) => call<ErasurePreview>('GET', '/api/v1/auth/me/erasure', asPerson(person));

describe('the preview of an erasure', () => {
  it('groups the organizations by what would happen to them, and changes nothing', async () => {
    const person = await registerPerson({ organizationName: 'Alone' });
    const blocked = await call<{ id: string }>('POST', '/api/v1/orgs', asPerson(person, { name: 'Team' }));
    await registerMember(blocked.json.id, 'ADMIN');
    await registerMember(blocked.json.id, 'VIEWER');
    const other = await registerPerson({ organizationName: 'Theirs' });
    await run(
      `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'OWNER')`,
      other.organizationId,
      person.userId,
    );
    const expected = {
      deletes: [{ id: person.organizationId, name: 'Alone' }],
      blocks: [{ id: blocked.json.id, name: 'Team', memberCount: 3 }],
      leaves: [{ id: other.organizationId, name: 'Theirs' }],
    };
    expect((await preview(person)).json).toEqual(expected);
    expect((await preview(person)).json).toEqual(expected);
  });
});

describe('erasing the account', () => {
  it('is recorded, with the organizations deleted and left and the sessions closed, and no IP address', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'DEVELOPER');
    await erase(person);
    const entries = await auditOf(person.userId);
    expect(entries.filter(({ action }) => action === 'account.deleted')).toMatchObject([
      { organization_id: null, actor_type: 'USER', actor_id: person.userId, target_id: person.userId },
    ]);
    expect(entries.find(({ action }) => action === 'member.removed')).toMatchObject({
      organization_id: owner.organizationId,
      actor_id: person.userId,
    });
    const ofOwn = await auditOf(person.organizationId);
    expect(ofOwn.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['organization.created', 'session.closed', 'organization.deleted']),
    );
    for (const entry of [...entries, ...ofOwn]) expect(entry.ip_address).toBeNull();
  });

  it('sends as many statements for many organizations that are left as for one', async () => {
    const statementsFor = async (organizations: number) => {
      const owner = await registerPerson();
      const person = await registerMember(owner.organizationId, 'ADMIN');
      for (let n = 1; n < organizations; n++) await setRole((await registerPerson()).organizationId, person, 'ADMIN');
      const submit = vi.spyOn(pg.Query.prototype, 'submit');
      onTestFinished(() => submit.mockRestore());
      expect((await erase(person)).status).toBe(204);
      const texts = submit.mock.contexts.map((sent) => (sent as unknown as { text: string }).text);
      submit.mockRestore();
      expect(await count('SELECT FROM memberships WHERE user_id = $1', person.userId)).toBe(0);
      const removed = (await auditOf(person.userId)).filter(({ action }) => action === 'member.removed');
      expect(removed).toHaveLength(organizations);
      return texts.filter((text) => /memberships|invitations|audit_log/.test(text)).length;
    };
    const forOne = await statementsFor(1);
    expect(forOne).toBeGreaterThan(0);
    expect(await statementsFor(4)).toBe(forOne);
  });

  it('removes the IP addresses from earlier audit entries of the person, and keeps the entries', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'OWNER');
    const member = { ...person, organizationId: owner.organizationId };
    const project = await makeProject(member);
    const [before] = await auditOf(project.id);
    expect(before?.ip_address).not.toBeNull();
    await erase(person);
    expect(await auditOf(project.id)).toEqual([{ ...before, ip_address: null }]);
    const ownersOwn = (await auditOf(owner.organizationId)).filter(({ actor_id }) => actor_id === owner.userId);
    expect(ownersOwn.some(({ ip_address }) => ip_address !== null)).toBe(true);
  });

  it('revokes invitations to the address and those the person sent, and no others', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'ADMIN');
    const invite = async (email: string, invitedBy: string, isPending = true) => {
      const id = newId();
      await run(
        `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by_id, expires_at, accepted_at)
         VALUES ($1, $2, $3, 'VIEWER', $4, $5, now() + interval '7 days', CASE WHEN $6 THEN NULL ELSE now() END)`,
        id,
        owner.organizationId,
        email,
        Buffer.from(id),
        invitedBy,
        isPending,
      );
      return id;
    };
    const received = await invite(person.email, owner.userId);
    const sent = await invite('friend@example.com', person.userId);
    await invite(person.email, owner.userId, false);
    await invite('other@example.com', owner.userId);
    await erase(person);
    const rows = await select('SELECT email FROM invitations WHERE organization_id = $1', owner.organizationId);
    expect(rows).toEqual([{ email: 'other@example.com' }]);
    const revoked = (await auditOf(owner.organizationId)).filter(({ action }) => action === 'invitation.revoked');
    expect(revoked.map(({ target_id }) => target_id)).toEqual(expect.arrayContaining([sent, received]));
    expect(revoked).toHaveLength(2);
    for (const entry of revoked) expect(entry.ip_address).toBeNull();
    // The person that an invitation was for is not revealed.
    expect(revoked.find(({ target_id }) => target_id === received)).toMatchObject({
      actor_type: 'SYSTEM',
      actor_id: null,
      details: { role: 'VIEWER', cause: 'account.deleted' },
    });
  });

  it('removes the emails of invitations to the address and of those the person sent, and no others', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'ADMIN');
    const host = await registerPerson();
    const [friend, guest, other] = [freshEmail(), freshEmail(), freshEmail()];
    // A mail to an address without an account names none, also if one is registered later.
    await invite(host, host.organizationId, person.email);
    await run('UPDATE mails SET user_id = NULL');
    await invite(person, owner.organizationId, friend);
    await invite(person, person.organizationId, guest);
    await invite(owner, owner.organizationId, other);
    const invitationsTo = async (email: string) =>
      (await queuedMails(email)).filter(({ text }) => text.includes('/accept-invitation')).length;
    const all = () => Promise.all([person.email, friend, guest, other].map(invitationsTo));
    expect(await all()).toEqual([1, 1, 1, 1]);
    expect((await erase(person)).status).toBe(204);
    expect(await all()).toEqual([0, 0, 0, 1]);
  });

  it('ends the lockout of that address only; rate limits keep counting, so that erasing does not reset them', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    const traces = async ({ email }: TestPerson) => [
      await count('SELECT FROM login_lockouts WHERE address_hash = $1', keyedHash(email, 'login lockout')),
      await count('SELECT FROM rate_limits WHERE key = $1', storedRateLimitKey({ name: 'login-address', key: email })),
    ];
    for (const { email } of [person, other]) {
      await call('POST', '/api/v1/auth/login', { body: { email, password: 'wrong guess' } });
    }
    expect(await traces(person)).toEqual([1, 1]);
    await erase(person);
    expect(await traces(person)).toEqual([0, 1]);
    expect(await traces(other)).toEqual([1, 1]);
  });

  it('drops queued mails, and sends a last one to a verified address', async () => {
    const person = await registerPerson();
    await proveAddress(person);
    expect(await queuedMails(person.email)).toHaveLength(1);
    await erase(person);
    expect((await queuedMails(person.email)).map(({ subject }) => subject)).toEqual(['Your account was deleted']);
  });

  it('sends nothing to an address that was never verified', async () => {
    const person = await registerPerson();
    await erase(person);
    expect(await queuedMails(person.email)).toEqual([]);
  });
});
