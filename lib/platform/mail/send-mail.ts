import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import type { Attachment } from 'nodemailer/lib/mailer';
import { config } from '@/lib/platform/config/config';
import { decrypt } from '@/lib/platform/encryption';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { idOfDomain, MAIL_PURPOSE, type StoredMail } from './enqueue-mail';

const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/**
 * Decrypts a mail of the queue and sends it to MAIL_URL. Without MAIL_URL, writes an .eml file to DATA_DIR/mail.
 *
 * @param payloadEncrypted the payload that `enqueueMail` stored
 * @param signal ends the connection to the mail server
 * @throws Error without an address: replies of mail servers often name the recipient
 */
export async function sendSealedMail(payloadEncrypted: Uint8Array, signal?: AbortSignal): Promise<void> {
  const mail = JSON.parse(decrypt(payloadEncrypted, MAIL_PURPOSE)) as StoredMail;
  const { MAIL_URL } = config();
  if (MAIL_URL === undefined) return keepMail(mail);
  try {
    const transporter = await smtp(MAIL_URL);
    await transporter.sendMail({ ...toMessage(mail), ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    if (signal?.aborted === true) throw new Error('the mail server took too long');
    throw withoutAddress(error);
  }
}

/** Returns the id of the domain that a mail of the queue goes to; null when no key decrypts it. */
export function domainOfSealedMail(payloadEncrypted: Uint8Array): string | null {
  try {
    return idOfDomain((JSON.parse(decrypt(payloadEncrypted, MAIL_PURPOSE)) as StoredMail).to);
  } catch {
    return null;
  }
}

async function smtp(mailUrl: string): Promise<Transporter> {
  const { createTransport } = await loadNodemailer();
  return once('smtp', () => {
    // For a transport with a URL, nodemailer reads options only from its query.
    const url = new URL(mailUrl);
    for (const [name, ms] of Object.entries(TIMEOUTS_MS)) {
      if (!url.searchParams.has(name)) url.searchParams.set(name, String(ms));
    }
    return createTransport(url.href);
  });
}

/** Loaded with the first mail: it takes 5 MiB, and a process may never send one. */
function loadNodemailer(): Promise<typeof import('nodemailer')> {
  return import('nodemailer');
}

/** Writes a temporary file and renames it, so that no program that watches the folder reads a partial mail. */
async function keepMail(mail: StoredMail): Promise<void> {
  const folder = path.join(config().DATA_DIR, 'mail');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { createTransport } = await loadNodemailer();
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await composer.sendMail({ ...toMessage(mail), text: legibleText(mail.text) });
  // Ids sort by creation time, so the newest mail is last.
  const file = path.join(folder, `${mail.id}.eml`);
  await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
  await rename(`${file}.part`, file);
  log().info({ file }, 'email saved to a file because MAIL_URL is not set');
}

/** Encodes the text as 8bit: quoted-printable, which mail servers need, would break the link that people copy from the file. */
function legibleText(text: string): Attachment {
  const content = text.replaceAll('\n', '\r\n');
  return { raw: `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content}` };
}

function toMessage(mail: StoredMail): SendMailOptions {
  return {
    from: config().MAIL_FROM,
    // An object, because a text would be parsed as a list of recipients.
    to: { name: '', address: mail.to },
    subject: mail.subject.replace(/\p{Cc}+/gu, ' '),
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    messageId: `<${mail.id}@${new URL(config().baseUrl).hostname}>`,
    // RFC 3834: no out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** What OpenSSL and Node say about a certificate that they reject. nodemailer replaces their codes with ESOCKET. */
const CERTIFICATE_FAULTS: readonly [RegExp, string][] = [
  [/self-signed certificate/i, 'is self-signed'],
  [/certificate has expired/i, 'has expired'],
  [/certificate is not yet valid/i, 'is not valid yet'],
  [/does not match certificate's altnames/i, 'is for another host name'],
  [/certificate|unable to verify/i, 'is not from a trusted authority'],
];

function withoutAddress(error: unknown): Error {
  const { code, responseCode, message } = error as { code?: unknown; responseCode?: unknown; message?: unknown };
  const fault = isTlsFailure(code) && CERTIFICATE_FAULTS.find(([pattern]) => pattern.test(String(message)))?.[1];
  if (fault) return new Error(`the certificate of the mail server ${fault}; see NODE_EXTRA_CA_CERTS`);
  const facts = [code, responseCode].filter((fact) => typeof fact === 'string' || typeof fact === 'number');
  return new Error(`the mail server rejected the email (${facts.join(' ') || 'no code'})`);
}

/** Replies of the server have other codes, and could say anything. */
const isTlsFailure = (code: unknown) => code === 'ESOCKET' || code === 'ETLS';
