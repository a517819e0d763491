import { describe, expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { queuedMails } from '@/tests/fixtures/mails';
import { registerPerson } from '@/tests/fixtures/people';
import { setTestConfig } from '@/tests/setup/variables';
import { type NoticeDetails, type NoticeKind, sendNotice } from './notices';
import { consumeUserToken, endUserTokens, issueUserToken, readUserToken } from './user-token';

const KEYS = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
const db = useDatabase(KEYS);

const issue = (userId: string) => inSqlTransaction((tx) => issueUserToken(tx, userId, 'RESET_PASSWORD', 60));
const use = async (token: string) =>
  (await inSqlTransaction((tx) => consumeUserToken(tx, token, ['RESET_PASSWORD']))).userId;
const read = (token: string) => readUserToken(database(), token, ['RESET_PASSWORD']);
const invalid = { code: 'invalid_token' };

it('keeps one token valid when several are issued at once', async () => {
  const { userId } = await registerPerson();
  const tokens = await Promise.all(Array.from({ length: 8 }, () => issue(userId)));
  const uses = await Promise.allSettled(tokens.map(use));
  expect(uses.filter(({ status }) => status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: userId }]);
});

it('ends only tokens of the same purpose and person when a new one is issued', async () => {
  const person = await registerPerson();
  const other = await registerPerson();
  const first = await issue(person.userId);
  const ofOther = await issue(other.userId);
  await issue(person.userId);
  await expect(use(first)).rejects.toMatchObject({ code: 'invalid_token' });
  await expect(use(ofOther)).resolves.toBe(other.userId);
  const { rows } = await database().query(
    `SELECT used_at FROM user_tokens WHERE user_id = $1 AND purpose = 'VERIFY_EMAIL'`,
    [person.userId],
  );
  expect(rows).toEqual([{ used_at: null }]);
});

it('keeps a token valid when its use is rolled back', async () => {
  const { userId } = await registerPerson();
  const token = await issue(userId);
  const refused = inSqlTransaction(async (tx) => {
    await consumeUserToken(tx, token, ['RESET_PASSWORD']);
    throw new Error('the new password is refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await expect(use(token)).resolves.toBe(userId);
});

it('returns the person of a token without consuming it', async () => {
  const { userId, email } = await registerPerson();
  const token = await issue(userId);
  await expect(read(token)).resolves.toEqual({ userId, email, purpose: 'RESET_PASSWORD' });
  await expect(use(token)).resolves.toBe(userId);
  await expect(read(token)).rejects.toMatchObject(invalid);
});

it('accepts a token for its own purpose only', async () => {
  const { userId } = await registerPerson();
  const token = await issue(userId);
  const otherwise = ['VERIFY_EMAIL', 'CONFIRM_PASSWORD'] as const;
  await expect(readUserToken(database(), token, otherwise)).rejects.toMatchObject(invalid);
  await expect(inSqlTransaction((tx) => consumeUserToken(tx, token, otherwise))).rejects.toMatchObject(invalid);
  await expect(use(token)).resolves.toBe(userId);
});

it('refuses a token that is expired, superseded or of an erased account', async () => {
  const people = await Promise.all([registerPerson(), registerPerson(), registerPerson(), registerPerson()]);
  const [erased = '', expired = '', ended = '', good = ''] = people.map(({ userId }) => userId);
  const tokens = await Promise.all([erased, expired, ended].map(issue));
  const token = await issue(good);
  await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [erased]);
  await database().query('UPDATE user_tokens SET expires_at = now() WHERE user_id = $1', [expired]);
  await endUserTokens(database(), ended, ['RESET_PASSWORD', 'CONFIRM_PASSWORD']);
  for (const bad of [...tokens, 'unknown']) {
    await expect(read(bad)).rejects.toMatchObject(invalid);
    await expect(use(bad)).rejects.toMatchObject(invalid);
  }
  await expect(use(token)).resolves.toBe(good);
});

describe('notices by mail', () => {
  const FACTS: NoticeDetails = {
    client: {
      ipAddress: '203.0.113.7',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    },
    at: new Date('2026-11-21T02:04:05.678Z'),
  };

  async function noticeOf(kind: NoticeKind, facts = FACTS) {
    const person = await registerPerson();
    await inSqlTransaction((tx) => sendNotice(tx, person, kind, facts));
    const mail = (await queuedMails(person.email)).at(-1);
    expect(mail?.to).toBe(person.email);
    return { subject: mail?.subject ?? '', text: mail?.text ?? '', html: mail?.html ?? '' };
  }

  describe.each([
    ['password_reset', 'Your password was reset'],
    ['password_added', 'A password was added to your account'],
    ['password_changed', 'Your password was changed'],
    ['password_confirmed', 'Your password was confirmed'],
    ['provider_linked', 'A sign-in method was added to your account'],
    ['sessions_closed', 'Your sessions were closed'],
    ['session_theft', 'We closed one of your sessions to protect your account'],
    ['device_approved', 'A command-line client signed in to your account'],
  ] as const)('the notice %s', (kind, subject) => {
    it('states what happened, when, from where, and what to do if it was not you', async () => {
      const mail = await noticeOf(kind);
      expect(mail.subject).toBe(subject);
      for (const part of [
        'When: 21 November 2026, 02:04:05 UTC',
        'IP address: 203.0.113.7',
        'Device: Firefox on Linux',
        'http://localhost:3000/forgot-password',
      ]) {
        expect(mail.text).toContain(part);
        expect(mail.html).toContain(part);
      }
    });

    it('contains no link that acts by itself', async () => {
      expect((await noticeOf(kind)).text).not.toMatch(/token=|\?/);
    });
  });

  it('names the provider that was linked', async () => {
    expect((await noticeOf('provider_linked', { ...FACTS, providerName: 'Google' })).text).toContain('with Google.');
  });

  it('links to APP_BASE_URL', async () => {
    setTestConfig({ DATABASE_URL: db.url, ...KEYS, APP_BASE_URL: 'https://events.example.com' });
    const { text } = await noticeOf('password_changed');
    expect(text).toContain('https://events.example.com/forgot-password');
    expect(text).toContain('https://events.example.com/account');
    expect(text).not.toContain('localhost');
  });

  it('is deleted when the account is erased before it is sent', async () => {
    const person = await registerPerson();
    await inSqlTransaction((tx) => sendNotice(tx, person, 'password_changed', FACTS));
    const { rows } = await database().query('SELECT count(*)::int AS mails FROM mails WHERE user_id = $1', [
      person.userId,
    ]);
    expect(rows).toEqual([{ mails: 2 }]);
  });
});
