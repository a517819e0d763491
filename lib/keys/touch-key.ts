import { MINUTE_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';

/**
 * Notes that a key was used: at most one write a minute a key and process, and never on the request's own path.
 * `last_used_at` is therefore up to a minute behind; nothing is decided by it.
 */
export function touchKey(keyId: string): void {
  const touched = once('touched-keys', () => new Map<string, number>());
  const now = Date.now();
  if (now - (touched.get(keyId) ?? 0) < MINUTE_MS) return;
  if (touched.size > 10_000) touched.clear();
  touched.set(keyId, now);
  database()
    .query(
      `UPDATE api_keys SET last_used_at = now()
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '55 seconds')`,
      [keyId],
    )
    .catch((error: unknown) => log().warn({ err: error }, 'could not note the use of a key'));
}
