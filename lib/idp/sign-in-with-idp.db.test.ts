import { describe, expect, it } from 'vitest';
import type { SignIn } from '@/lib/auth/sign-in';
import { systemClock } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { invite } from '@/tests/fixtures/members';
import { freshEmail, makeProject, PASSWORD, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';
import type { IdpPerson } from './claims';
import { signInWithIdp } from './sign-in-with-idp';

useDatabase();

const caller = { type: 'anonymous', client: { ipAddress: TEST_ADDRESS, userAgent: 'test' } } as const;

/** A provider account that has never signed in. */
function freshPerson(given: Partial<IdpPerson> = {}): IdpPerson {
  return {
    issuer: 'https://idp.example.com',
    subject: newId(),
    verifiedEmail: freshEmail(),
    name: 'Ada Lovelace',
    hostedDomain: null,
    ...given,
  };
}

const attempt = (person: IdpPerson, returnTo = '/') => signInWithIdp(caller, { person, returnTo }, systemClock);

async function enter(person: IdpPerson): Promise<SignIn> {
  const outcome = await attempt(person);
  if (typeof outcome === 'string') throw new Error(`refused: ${outcome}`);
  return outcome;
}

async function count(sql: string, values: unknown[]): Promise<number> {
  const { rows } = await database().query<{ count: string }>(`SELECT count(*) FROM ${sql}`, values);
  return Number(rows[0]?.count);
}

const accountsOf = (email: string | null) => count('users WHERE email = $1', [email]);

describe('a provider account without a local account', () => {
  it('gets a verified account without a password, and an organization named after the person', async () => {
    const person = freshPerson();
    const { response } = await enter(person);
    expect(response.user).toEqual({
      id: expect.any(String),
      email: person.verifiedEmail,
      name: 'Ada Lovelace',
      emailVerified: true,
      hasPassword: false,
      timeZone: 'LOCAL',
    });
    expect(response.organization).toEqual({ id: expect.any(String), name: 'Ada Lovelace workspace', role: 'OWNER' });
  });

  it('names the organization after the domain of a workspace', async () => {
    const { response } = await enter(freshPerson({ hostedDomain: 'mail.acme.co.uk' }));
    expect(response.organization?.name).toBe('Acme');
  });

  it('gets no organization when it answers an invitation, and one when it only could', async () => {
    const owner = await registerPerson();
    const answering = freshPerson();
    const other = freshPerson();
    const uninvited = freshPerson();
    for (const { verifiedEmail } of [answering, other]) await invite(owner, owner.organizationId, verifiedEmail ?? '');
    const organizationOf = async (person: IdpPerson, returnTo: string) => {
      const outcome = await attempt(person, returnTo);
      return typeof outcome === 'string' ? outcome : outcome.response.organization;
    };
    expect(await organizationOf(answering, '/accept-invitation')).toBeNull();
    expect(await organizationOf(other, '/')).toMatchObject({ role: 'OWNER' });
    expect(await organizationOf(uninvited, '/accept-invitation')).toMatchObject({ role: 'OWNER' });
  });

  it('opens a session with the method IDP; account, identity and session are audited', async () => {
    const { response } = await enter(freshPerson());
    const { json } = await call<{ data: { method: string }[] }>('GET', '/api/v1/auth/sessions', {
      bearer: response.accessToken,
    });
    expect(json.data.map(({ method }) => method)).toEqual(['IDP']);
    expect((await auditOf(response.user.id)).map(({ action }) => action)).toEqual([
      'account.registered',
      'identity.linked',
    ]);
    const ofOrganization = await auditOf(response.organization?.id ?? '');
    expect(ofOrganization.map(({ action }) => action)).toEqual(['organization.created', 'session.created']);
    expect(JSON.stringify(await auditOf(response.user.id))).not.toContain('idp.example.com');
  });

  it('is refused without a verified address, and nothing is created', async () => {
    const before = await count('users', []);
    expect(await attempt(freshPerson({ verifiedEmail: null }))).toBe('idp_email_unverified');
    expect(await count('users', [])).toBe(before);
  });

  it('gets one account and one organization when 20 browsers sign in at once', async () => {
    const person = freshPerson();
    const signIns = await Promise.all(Array.from({ length: 20 }, () => enter(person)));
    const [userId, ...others] = new Set(signIns.map(({ response }) => response.user.id));
    expect(others).toEqual([]);
    expect(await accountsOf(person.verifiedEmail)).toBe(1);
    expect(await count('memberships WHERE user_id = $1', [userId])).toBe(1);
    expect(await count('identities WHERE user_id = $1', [userId])).toBe(1);
    expect(await count('sessions WHERE user_id = $1', [userId])).toBe(20);
  });

  it('conflicts with another subject that registers the same address at the same time', async () => {
    const person = freshPerson();
    const outcomes = await Promise.all([person, { ...person, subject: newId() }].map((each) => attempt(each)));
    expect(outcomes.filter((outcome) => outcome === 'idp_conflict')).toHaveLength(1);
    expect(await accountsOf(person.verifiedEmail)).toBe(1);
  });

  it('ends up in one account when the address registers with a password at the same time', async () => {
    const person = freshPerson();
    const register = call('POST', '/api/v1/auth/register', {
      body: { email: person.verifiedEmail, password: 'correct horse battery' },
    });
    const [response] = await Promise.all([register, enter(person)]);
    expect([201, 409]).toContain(response.status);
    expect(await accountsOf(person.verifiedEmail)).toBe(1);
  });
});

describe('a provider account that signs in again', () => {
  it('gets the same account, in its last organization', async () => {
    const person = freshPerson();
    const first = await enter(person);
    const again = await enter(person);
    expect(again.response.user).toEqual(first.response.user);
    expect(again.response.organization).toEqual(first.response.organization);
    expect(again.refresh.token).not.toBe(first.refresh.token);
  });

  it('gets the same account after its address at the provider changed, even if unverified', async () => {
    const person = freshPerson();
    const { response } = await enter(person);
    const moved = freshEmail();
    expect((await enter({ ...person, verifiedEmail: moved })).response.user.id).toBe(response.user.id);
    expect((await enter({ ...person, verifiedEmail: null })).response.user.email).toBe(person.verifiedEmail);
    expect(await accountsOf(moved)).toBe(0);
  });

  it('is matched by issuer and subject: the same subject of another issuer is somebody else', async () => {
    const person = freshPerson();
    const { response } = await enter(person);
    const stranger = await enter({ ...person, issuer: 'https://other.example.com', verifiedEmail: freshEmail() });
    expect(stranger.response.user.id).not.toBe(response.user.id);
  });

  it('gets a new account when its own was erased', async () => {
    const person = freshPerson();
    const { response } = await enter(person);
    const erased = await call('DELETE', '/api/v1/auth/me', { bearer: response.accessToken });
    expect(erased.status).toBe(204);
    const fresh = await enter(person);
    expect(fresh.response.user.id).not.toBe(response.user.id);
    expect(fresh.response.user.email).toBe(person.verifiedEmail);
  });
});

describe('a provider account with the verified address of a local account', () => {
  async function registerProven() {
    const person = await registerPerson();
    await database().query('UPDATE users SET email_verified_at = now() WHERE id = $1', [person.userId]);
    return person;
  }
  const signInByPassword = (email: string) =>
    call('POST', '/api/v1/auth/login', { body: { email, password: 'correct horse battery' } });

  it('signs in to that account, and the password keeps working', async () => {
    const local = await registerProven();
    const { response } = await enter(freshPerson({ verifiedEmail: local.email }));
    expect(response.user.id).toBe(local.userId);
    expect(response.organization?.id).toBe(local.organizationId);
    expect((await signInByPassword(local.email)).status).toBe(200);
  });

  it('keeps existing sessions, mails a notice, and is audited', async () => {
    const local = await registerProven();
    await enter(freshPerson({ verifiedEmail: local.email }));
    expect((await call('GET', '/api/v1/auth/me', { bearer: local.accessToken })).status).toBe(200);
    const subjects = (await queuedMails(local.email)).map(({ subject }) => subject);
    expect(subjects.slice(1)).toEqual(['A sign-in method was added to your account']);
    expect((await auditOf(local.userId)).map(({ action }) => action)).toContain('identity.linked');
  });

  it('conflicts when another account of the same provider is linked, not of another provider', async () => {
    const local = await registerProven();
    await enter(freshPerson({ verifiedEmail: local.email }));
    const mails = await queuedMails(local.email);
    expect(await attempt(freshPerson({ verifiedEmail: local.email }))).toBe('idp_conflict');
    expect(await queuedMails(local.email)).toEqual(mails);
    const elsewhere = freshPerson({ verifiedEmail: local.email, issuer: 'https://other.example.com' });
    expect((await enter(elsewhere)).response.user.id).toBe(local.userId);
  });

  it('is linked once, with one notice, when it signs in 10 times at once', async () => {
    const local = await registerProven();
    const person = freshPerson({ verifiedEmail: local.email });
    const signIns = await Promise.all(Array.from({ length: 10 }, () => enter(person)));
    expect(new Set(signIns.map(({ response }) => response.user.id))).toEqual(new Set([local.userId]));
    expect(await count('identities WHERE user_id = $1', [local.userId])).toBe(1);
    const notices = (await queuedMails(local.email)).filter(({ subject }) => subject.startsWith('A sign-in method'));
    expect(notices).toHaveLength(1);
  });
});

/** The owner of the address signs in through the provider. */
async function enterAsOwner(email: string) {
  const person = {
    issuer: 'https://idp.example.com',
    subject: newId(),
    verifiedEmail: email,
    name: null,
    hostedDomain: null,
  };
  const outcome = await signInWithIdp(caller, { person, returnTo: '/' }, systemClock);
  if (typeof outcome === 'string') throw new Error(`refused: ${outcome}`);
  return outcome.response;
}

const signInByPassword = ({ email }: TestPerson) =>
  call('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } });
const verify = (token: string) => call('POST', '/api/v1/auth/verify-email', { body: { token } });
const linkOf = async (email: string, subject: string) =>
  tokenIn((await queuedMails(email)).findLast((mail) => mail.subject === subject));

describe('an account with a never verified address, once its address signs in through the provider', () => {
  it('is linked to the provider, with a verified address', async () => {
    const early = await registerPerson();
    const { user, organization } = await enterAsOwner(early.email);
    expect(user).toMatchObject({ id: early.userId, emailVerified: true, hasPassword: true });
    expect(organization?.id).toBe(early.organizationId);
    expect((await auditOf(early.userId)).map(({ action }) => action)).toContain('account.email_verified');
  });

  it('has none of its earlier sessions: their access and refresh tokens are refused', async () => {
    const early = await registerPerson();
    await enterAsOwner(early.email);
    expect((await call('GET', '/api/v1/auth/me', { bearer: early.accessToken })).status).toBe(401);
    const refresh = await call('POST', '/api/v1/auth/refresh', { body: { refreshToken: early.refreshToken } });
    expect(refresh.json.code).toBe('invalid_refresh_token');
  });

  it('gives no session for a device code approved before', async () => {
    const early = await registerPerson();
    const started = await call<{ deviceCode: string; userCode: string }>('POST', '/api/v1/auth/device/code', {
      body: {},
    });
    const { deviceCode, userCode } = started.json;
    await call('POST', '/api/v1/auth/device/approve', { bearer: early.accessToken, body: { userCode } });
    await enterAsOwner(early.email);
    const exchanged = await call('POST', '/api/v1/auth/device/token', { body: { deviceCode } });
    expect(exchanged.status).toBe(400);
  });

  it('refuses the password until the owner of the address confirms it', async () => {
    const early = await registerPerson();
    await enterAsOwner(early.email);
    const refused = await signInByPassword(early);
    expect([refused.status, refused.json.code]).toEqual([403, 'password_unconfirmed']);
    const token = await linkOf(early.email, 'Confirm your password');
    expect((await verify(token)).status).toBe(204);
    expect((await signInByPassword(early)).status).toBe(200);
  });

  it('does not accept the registration link as a confirmation of the password, whenever it is opened', async () => {
    const early = await registerPerson();
    const token = await linkOf(early.email, 'Confirm your email address');
    await enterAsOwner(early.email);
    expect((await verify(token)).json.code).toBe('invalid_token');
    expect((await signInByPassword(early)).json.code).toBe('password_unconfirmed');
  });

  it('keeps the password when the address was verified before', async () => {
    const early = await registerPerson();
    await verify(await linkOf(early.email, 'Confirm your email address'));
    await enterAsOwner(early.email);
    expect((await signInByPassword(early)).status).toBe(200);
    expect((await call('GET', '/api/v1/auth/me', { bearer: early.accessToken })).status).toBe(200);
  });

  it('keeps what was created in its organization', async () => {
    const early = await registerPerson();
    const project = await makeProject(early);
    const { accessToken } = await enterAsOwner(early.email);
    expect((await call('GET', `/api/v1/projects/${project.id}`, { bearer: accessToken })).status).toBe(200);
  });

  it('has no password session, even when a password sign-in runs at the same time', async () => {
    const early = await registerPerson();
    await Promise.all([enterAsOwner(early.email), ...Array.from({ length: 8 }, () => signInByPassword(early))]);
    const { rows } = await database().query(
      `SELECT 1 FROM sessions WHERE user_id = $1 AND method = 'PASSWORD' AND closed_at IS NULL`,
      [early.userId],
    );
    expect(rows).toEqual([]);
  });
});
