import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { encrypt } from '@/lib/platform/encryption';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { makeAuthority, makeCertificate } from '@/tests/http/certificate';
import { waitFor } from '@/tests/http/receiver';
import { setTestConfig } from '@/tests/setup/variables';
import type { StoredMail } from './enqueue-mail';
import { sendSealedMail } from './send-mail';

const LINK = `http://localhost:3000/verify-email?token=${'t'.repeat(43)}`;
const makeMail = (fields: Partial<StoredMail> = {}): StoredMail => ({
  id: newId(),
  to: 'ada@example.com',
  subject: 'Confirm your email address',
  text: `Open this:\n${LINK}\n`,
  html: `<a href="${LINK}">Confirm</a>`,
  ...fields,
});
const seal = (mail: StoredMail, purpose = 'mail') => encrypt(JSON.stringify(mail), purpose);

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  setOnce('smtp', undefined);
});

describe('without a mail server', () => {
  async function makeMailFolder(): Promise<string> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mail-test-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    setTestConfig({ DATA_DIR: folder });
    return path.join(folder, 'mail');
  }

  it('stores a mail as a file that only its owner can read, with its link on one line', async () => {
    const folder = await makeMailFolder();
    const mail = makeMail();
    await sendSealedMail(seal(mail));
    expect(await readdir(folder)).toEqual([`${mail.id}.eml`]);
    const file = path.join(folder, `${mail.id}.eml`);
    const content = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(content).toMatch(/^To: ada@example\.com\r$/m);
    expect(content).toMatch(/^Subject: Confirm your email address\r$/m);
    expect(content).toMatch(/^Message-ID: <[0-9a-f-]{36}@localhost>\r$/m);
    expect(content).toContain(`\r\n${LINK}\r\n`);
  });

  it('names files so that they sort by time', async () => {
    const folder = await makeMailFolder();
    const mails = [makeMail(), makeMail(), makeMail()];
    for (const mail of mails.toReversed()) await sendSealedMail(seal(mail));
    expect((await readdir(folder)).toSorted()).toEqual(mails.map((mail) => `${mail.id}.eml`));
  });

  it('lets no text of a mail become a header or another recipient', async () => {
    const folder = await makeMailFolder();
    const mail = makeMail({ subject: 'Hello\r\nBcc: eve@example.com', to: 'ada@example.com, eve@example.com' });
    await sendSealedMail(seal(mail));
    const content = await readFile(path.join(folder, `${mail.id}.eml`), 'utf8');
    const headers = content.split('\r\n\r\n')[0] ?? '';
    expect(headers).not.toMatch(/^Bcc:/im);
    expect(headers.match(/^Subject: .*$/m)?.[0]).toBe('Subject: Hello Bcc: eve@example.com');
    expect(headers).not.toMatch(/^To:.*[^"], eve@example\.com/m);
  });

  it('refuses a message that was encrypted for another purpose', async () => {
    const folder = await makeMailFolder();
    await expect(sendSealedMail(seal(makeMail(), 'endpoint-secret'))).rejects.toThrow();
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });
});

describe('with a mail server', () => {
  async function startMailServer(options: SMTPServerOptions): Promise<void> {
    const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as AddressInfo;
    setTestConfig({ MAIL_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Events <events@example.com>' });
  }

  it('sends a mail to its one recipient, as text and HTML', async () => {
    const received: { to: string[]; from: string; data: string }[] = [];
    await startMailServer({
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          const from = mailFrom === false ? '' : mailFrom.address;
          received.push({ from, to: rcptTo.map(({ address }) => address), data: Buffer.concat(chunks).toString() });
          done();
        });
      },
    });
    await sendSealedMail(seal(makeMail()));
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ from: 'events@example.com', to: ['ada@example.com'] });
    expect(received[0]?.data).toMatch(/Content-Type: multipart\/alternative/);
    expect(received[0]?.data.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(LINK);
    expect(received[0]?.data).toMatch(/^From: Events <events@example\.com>\r$/m);
  });

  it('sends to an address in any script as the one recipient', async () => {
    const recipients: string[][] = [];
    await startMailServer({
      onData: (stream, session, done) => {
        recipients.push(session.envelope.rcptTo.map(({ address }) => address));
        stream.resume().on('end', done);
      },
    });
    await sendSealedMail(seal(makeMail({ to: 'jürgen@müller.example' })));
    expect(recipients).toEqual([['jürgen@müller.example']]);
  });

  it('fails without an address in the error when the server refuses', async () => {
    await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`no such mailbox ${address}`), { responseCode: 550 })),
    });
    const failure = await sendSealedMail(seal(makeMail())).then(
      () => null,
      (error: Error) => error,
    );
    expect(failure?.message).toBe('the mail server rejected the email (EENVELOPE 550)');
    expect(JSON.stringify(failure) + failure?.stack).not.toContain('ada@');
  });

  it('ends the connection to a server that does not answer when it is told to', async () => {
    const ending = new AbortController();
    let isClosed = false;
    await startMailServer({
      onRcptTo: () => ending.abort(),
      onClose: () => {
        isClosed = true;
      },
    });
    await expect(sendSealedMail(seal(makeMail()), ending.signal)).rejects.toThrow('the mail server took too long');
    await waitFor('the end of the connection', async () => isClosed);
  });

  const future = new Date(Date.now() + DAY_MS);
  const past = new Date(Date.now() - DAY_MS);
  const authority = makeAuthority('Post office', future);
  it.each([
    ['is self-signed', makeCertificate('localhost', future), ''],
    ['is not from a trusted authority', makeCertificate('localhost', future, authority), ''],
    ['has expired', makeCertificate('localhost', past, authority), authority.cert],
    ['is for another host name', makeCertificate('mail.example', future, authority), authority.cert],
  ])('says that its certificate %s', async (fault, certificate, trusted) => {
    await startMailServer({ ...certificate, secure: true });
    const { port } = new URL(config().MAIL_URL ?? '');
    const ca = trusted === '' ? '' : `?tls.ca=${encodeURIComponent(trusted)}`;
    setTestConfig({ MAIL_URL: `smtps://localhost:${port}${ca}` });
    await expect(sendSealedMail(seal(makeMail()))).rejects.toThrow(`the certificate of the mail server ${fault};`);
  });

  it('fails when the server cannot be reached, so that the mail is not lost', async () => {
    setTestConfig({ MAIL_URL: 'smtp://127.0.0.1:1' });
    await expect(sendSealedMail(seal(makeMail()))).rejects.toThrow(/ESOCKET|ECONN/);
  });
});
