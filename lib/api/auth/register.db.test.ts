import { describe, expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { freshEmail, PASSWORD, registerPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

const register = (body: unknown) => call<SignedIn>('POST', '/api/v1/auth/register', { body });
const refused = (body: unknown) => call('POST', '/api/v1/auth/register', { body });

describe('registering', () => {
  it('creates an account with an organization, and signs in', async () => {
    const email = freshEmail();
    const response = await register({ email: ` ${email.toUpperCase()} `, password: PASSWORD, name: 'Ada Lovelace' });
    expect(response.status).toBe(201);
    expect(response.json).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      user: {
        id: expect.any(String),
        email,
        name: 'Ada Lovelace',
        emailVerified: false,
        hasPassword: true,
        timeZone: 'LOCAL',
      },
      organization: { id: expect.any(String), name: "Ada's organization", role: 'OWNER' },
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.cookies).toHaveLength(2);
    expect(response.cookies[0]).toMatch(
      /^refresh_token=[\w-]{43}; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict; Max-Age=86400$/,
    );
    expect(response.cookies[1]).toBe('eds_session=1; Path=/; SameSite=Lax; Max-Age=86400');
    const me = await call('GET', '/api/v1/auth/me', { bearer: response.json.accessToken });
    expect(me.status).toBe(200);
  });

  it('names the organization as requested', async () => {
    const response = await register({
      email: freshEmail(),
      password: PASSWORD,
      organizationName: 'Analytical Engines',
    });
    expect(response.json.organization?.name).toBe('Analytical Engines');
  });

  it('is audited with person, action and IP address, without the email address', async () => {
    const person = await registerPerson();
    const entries = [...(await auditOf(person.organizationId)), ...(await auditOf(person.userId))];
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'account.registered',
      'organization.created',
      'session.created',
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor_type: 'USER', actor_id: person.userId, ip_address: TEST_ADDRESS });
    }
    expect(JSON.stringify(entries)).not.toContain(person.email);
  });

  it('mails one link, and stores neither its token nor the password in plain text', async () => {
    const person = await registerPerson();
    const mails = await queuedMails(person.email);
    expect(mails).toHaveLength(1);
    const token = tokenIn(mails[0]);
    expect(mails[0]?.text).toContain(`http://localhost:3000/verify-email?token=${token}`);
    expect(token).toHaveLength(43);
    const stored = await everythingStored();
    expect(stored).toContain(person.userId);
    for (const secret of [token, person.refreshToken, person.accessToken, PASSWORD]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

describe('an address has one account', () => {
  it('a taken address is refused, in any case', async () => {
    const { email } = await registerPerson();
    const again = await refused({ email: email.toUpperCase(), password: 'another long password' });
    expect(again.status).toBe(409);
    expect(again.json.code).toBe('email_taken');
    expect(again.cookies).toEqual([]);
  });

  it('one of ten simultaneous registrations succeeds, and nothing remains of the others', async () => {
    const email = freshEmail();
    const before = await countOrganizations();
    const responses = await Promise.all(Array.from({ length: 10 }, () => refused({ email, password: PASSWORD })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    expect(await countOrganizations()).toBe(before + 1);
    expect(await queuedMails(email)).toHaveLength(1);
  });
});

describe('refuses', () => {
  it.each([
    ['no address', { password: PASSWORD }, 'email'],
    ['a bad address', { email: 'ada', password: PASSWORD }, 'email'],
    ['an address that is not a string', { email: 1, password: PASSWORD }, 'email'],
    ['a short password', { email: freshEmail(), password: 'short' }, 'password'],
    ['a common password', { email: freshEmail(), password: 'Password123' }, 'password'],
    ['a password longer than bcrypt reads', { email: freshEmail(), password: 'p'.repeat(73) }, 'password'],
    ['an empty name', { email: freshEmail(), password: PASSWORD, name: ' ' }, 'name'],
    ['a name of two lines', { email: freshEmail(), password: PASSWORD, name: 'a\nb' }, 'name'],
    ['an unknown field', { email: freshEmail(), password: PASSWORD, role: 'OWNER' }, 'role'],
  ])('%s', async (_what, body, path) => {
    const response = await refused(body);
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });
});

async function countOrganizations(): Promise<number> {
  const { rows } = await database().query('SELECT count(*)::int AS count FROM organizations');
  return rows[0].count;
}

/** Every row of the tables about people, as text. */
async function everythingStored(): Promise<string> {
  const tables = ['users', 'sessions', 'refresh_tokens', 'user_tokens', 'outbox', 'audit_log', 'organizations'];
  const rows = await Promise.all(tables.map((table) => database().query(`SELECT t::text AS row FROM ${table} t`)));
  return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n');
}
