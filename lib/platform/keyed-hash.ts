import { createHmac, hkdfSync } from 'node:crypto';
import { config } from '@/lib/platform/config/config';
import { once } from '@/lib/platform/globals';

/**
 * HMAC-SHA-256 of a text, for rows that are looked up by an email or IP address and must not reveal it: without the
 * deployment's key, addresses cannot be guessed from a stolen table.
 *
 * The key is derived from the last entry of ENCRYPTION_KEY. New keys are added in front, and the oldest is kept as long as
 * anything is encrypted with it. So a rotation forgets no lockouts, and processes count together while it is rolled out.
 * AUTH_SECRET would not do: its entries are replaced within the lifetime of a token.
 *
 * @param purpose such as `login lockout`: one text has unrelated hashes for two purposes
 */
export function keyedHash(text: string, purpose: string): Buffer {
  const oldest = config().ENCRYPTION_KEY?.at(-1);
  if (oldest === undefined) throw new Error('ENCRYPTION_KEY is not set');
  return createHmac('sha256', derivedKey(oldest, purpose)).update(text, 'utf8').digest();
}

/** Derived once: it takes longer than the hash. A process has few purposes and one key. */
function derivedKey(secret: string, purpose: string): Buffer {
  const keys = once('keyed-hash-keys', () => new Map<string, Buffer>());
  const name = `${secret} ${purpose}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const salt = 'event-delivery-service';
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64'), salt, `keyed hash: ${purpose}`, 32));
  keys.set(name, key);
  return key;
}
