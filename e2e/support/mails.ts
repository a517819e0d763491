import fs from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';

/** Reads the emails in DATA_DIR/mail, oldest first, as raw messages. */
export function readMails(): string[] {
  const folder = path.join(process.env.E2E_DATA_DIR ?? '', 'mail');
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

/** Waits for `count` emails to an address with a matching subject. Returns the newest one. */
export async function waitForMail(to: string, subject: RegExp, count = 1): Promise<string> {
  const find = () =>
    readMails().filter((mail) => {
      const [head = ''] = mail.split('\r\n\r\n');
      return head.toLowerCase().includes(to.toLowerCase()) && subject.test(/^Subject: (.*)$/m.exec(head)?.[1] ?? '');
    });
  await expect.poll(() => find().length, { message: `a mail to ${to}`, timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  return find().at(-1) ?? '';
}

/** Returns the first dashboard link in an email. */
export function linkIn(mail: string): string {
  return /https?:\/\/\S+\?token=[\w-]+/.exec(mail)?.[0] ?? '';
}
