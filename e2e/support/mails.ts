import fs from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';

/** The mails that a product has kept in DATA_DIR/mail, oldest first, each as it would go over the wire. */
export function readMails(dataDir = process.env.E2E_DATA_DIR ?? ''): string[] {
  const folder = path.join(dataDir, 'mail');
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

/** Waits until `count` mails to an address have come whose subject matches, and gives the newest of them. */
export async function waitForMail(to: string, subject: RegExp, dataDir?: string, count = 1): Promise<string> {
  const find = () =>
    readMails(dataDir).filter((mail) => {
      const [head = ''] = mail.split('\r\n\r\n');
      return head.toLowerCase().includes(to.toLowerCase()) && subject.test(/^Subject: (.*)$/m.exec(head)?.[1] ?? '');
    });
  await expect.poll(() => find().length, { message: `a mail to ${to}`, timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  return find().at(-1) ?? '';
}

/** The first link to a page of the dashboard in a mail. */
export function linkIn(mail: string): string {
  return /https?:\/\/\S+\?token=[\w-]+/.exec(mail)?.[0] ?? '';
}
