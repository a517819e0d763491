import { createHmac, hkdfSync } from 'node:crypto';
import { config } from '@/lib/platform/config/config';

/**
 * HMAC-SHA-256 of a text, for rows that are found by an address or an IP and must not show it: without the deployment's
 * key nobody can try addresses against a stolen table.
 *
 * The key is derived from the last entry of ENCRYPTION_KEY. New keys are put in front, and the oldest stays for as long
 * as anything is sealed with it, so a rotation neither forgets lockouts nor lets two processes count apart while it is
 * rolled out. The entries of AUTH_SECRET come and go with the lifetime of a token.
 *
 * @param purpose such as `login lockout`: one text has unrelated hashes for two purposes
 */
export function keyedHash(text: string, purpose: string): Buffer {
  const oldest = config().ENCRYPTION_KEY?.at(-1);
  if (oldest === undefined) throw new Error('ENCRYPTION_KEY is not set');
  const key = hkdfSync('sha256', Buffer.from(oldest, 'base64'), 'event-delivery-service', `keyed hash: ${purpose}`, 32);
  return createHmac('sha256', Buffer.from(key)).update(text, 'utf8').digest();
}
