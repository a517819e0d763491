import { describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { makeProject, PASSWORD, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';
import { signInWithIdp } from './sign-in-with-idp';

useDatabase();

const caller = { type: 'anonymous', client: { ipAddress: TEST_ADDRESS, userAgent: 'test' } } as const;

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
