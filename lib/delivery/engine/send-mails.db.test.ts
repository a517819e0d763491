import { beforeEach, expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { decrypt } from '@/lib/platform/encryption';
import { enqueueMail, MAIL_PURPOSE } from '@/lib/platform/mail/enqueue-mail';
import { useDatabase } from '@/tests/database/use-database';
import { sendDueMails } from './send-mails';

useDatabase();

beforeEach(() => database().query('DELETE FROM mails'));

async function enqueue(subject: string, count: number, isBulk: boolean): Promise<void> {
  await inSqlTransaction(async (tx) => {
    for (let nth = 0; nth < count; nth += 1)
      await enqueueMail(tx, { to: 'ada@example.com', subject, text: 'Hello', isBulk });
  });
}

/** Sends one batch. @returns the subjects of its mails, in order */
async function sendBatch(): Promise<string[]> {
  const sent: string[] = [];
  await sendDueMails(async (payload) => {
    sent.push(JSON.parse(decrypt(Buffer.from(payload), MAIL_PURPOSE)).subject);
  });
  return sent.sort();
}

it('mails that people ask for are sent before verifications of new accounts, which are never kept out', async () => {
  await enqueue('Confirm', 20, true);
  await enqueue('Reset', 6, false);
  const confirm = (count: number) => Array<string>(count).fill('Confirm');
  expect(await sendBatch()).toEqual(['Confirm', 'Reset', 'Reset', 'Reset', 'Reset']);
  expect(await sendBatch()).toEqual([...confirm(3), 'Reset', 'Reset']);
  expect(await sendBatch()).toEqual(confirm(5));
});

it('mails are sent one batch after the other, until none is due', async () => {
  await enqueue('Reset', 6, false);
  const send = () => sendDueMails(async () => undefined);
  expect([await send(), await send(), await send()]).toEqual([true, true, false]);
});

it.each([
  ['a reset', false],
  ['a verification', true],
])('%s does not wait until a flood of the same kind is sent, and neither do the oldest', async (_, isBulk) => {
  await enqueue('First', 2, isBulk);
  await enqueue('Flood', 50, isBulk);
  await enqueue('Asked', 1, isBulk);
  const sent = await sendBatch();
  expect(sent).toContain('Asked');
  expect(sent.filter((subject) => subject === 'First')).toHaveLength(2);
});
