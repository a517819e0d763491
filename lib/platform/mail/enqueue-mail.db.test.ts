import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { queuedMails } from '@/tests/fixtures/mails';
import { setTestConfig } from '@/tests/setup/variables';
import { enqueueMail } from './enqueue-mail';
import { sendSealedMail } from './send-mail';

const db = useDatabase();
const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello Ada, https://example.com/?token=secret' };

it('queues a mail if and only if the change it reports is committed', async () => {
  const failed = inSqlTransaction(async (tx) => {
    await enqueueMail(tx, { ...mail, to: 'rolled-back@example.com' });
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await queuedMails('rolled-back@example.com')).toEqual([]);
  await inSqlTransaction((tx) => enqueueMail(tx, mail));
  expect(await queuedMails(mail.to)).toMatchObject([mail]);
});

it('stores address and text encrypted', async () => {
  await inSqlTransaction((tx) => enqueueMail(tx, mail));
  const { rows } = await database().query(`SELECT encode(payload_encrypted, 'escape') AS payload FROM mails`);
  for (const { payload } of rows) {
    expect(payload).not.toContain('ada@');
    expect(payload).not.toContain('secret');
  }
});

it('wakes the worker at the commit', async () => {
  const listener = new pg.Client({ connectionString: db.url });
  await listener.connect();
  const woken = new Promise<string | undefined>((resolve) =>
    listener.on('notification', ({ payload }) => resolve(payload)),
  );
  await listener.query('LISTEN eds_mail');
  await inSqlTransaction((tx) => enqueueMail(tx, mail));
  expect(await woken).toBe('');
  await listener.end();
});

it('sends the queued mail unchanged', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mail-test-'));
  setTestConfig({ DATABASE_URL: db.url, DATA_DIR: folder });
  await inSqlTransaction((tx) => enqueueMail(tx, { ...mail, html: '<p>Hello</p>' }));
  const { rows } = await database().query('SELECT id, payload_encrypted FROM mails ORDER BY id DESC LIMIT 1');
  await sendSealedMail(rows[0].payload_encrypted);
  expect(await readdir(path.join(folder, 'mail'))).toEqual([`${rows[0].id}.eml`]);
  await rm(folder, { recursive: true });
});
