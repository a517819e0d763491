import { describe, expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { queuedMails } from '@/tests/fixtures/mails';
import { registerPerson } from '@/tests/fixtures/people';
import { setTestConfig } from '@/tests/setup/variables';
import { type NoticeDetails, type NoticeKind, sendNotice } from './notices';

const KEYS = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
const db = useDatabase(KEYS);

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
  const { rows } = await database().query('SELECT count(*)::int AS mails FROM outbox WHERE user_id = $1', [
    person.userId,
  ]);
  expect(rows).toEqual([{ mails: 2 }]);
});

it('is sent if and only if the change it reports is committed', async () => {
  const person = await registerPerson();
  const failed = inSqlTransaction(async (tx) => {
    await sendNotice(tx, person, 'password_changed', FACTS);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await queuedMails(person.email)).toHaveLength(1);
});
