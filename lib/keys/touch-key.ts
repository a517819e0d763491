import { MINUTE_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { noteUse } from './touch-key-sql';

/** Beyond it the map is cleared: each key then costs one more query, but no additional write. */
const MAX_REMEMBERED = 10_000;

/**
 * Records that a key was used, in the background: at most one write a minute per key, whatever the load and the number of
 * processes. `last_used_at` is up to a minute late (docs/decisions/030-the-last-use-of-a-key-is-approximate.md).
 */
export function touchKey(keyId: string): void {
  const askAgainAtMs = once('touched-keys', () => new Map<string, number>());
  const now = Date.now();
  if (now < (askAgainAtMs.get(keyId) ?? 0)) return;
  if (askAgainAtMs.size >= MAX_REMEMBERED) askAgainAtMs.clear();
  askAgainAtMs.set(keyId, now + MINUTE_MS);
  noteUse
    .first(database(), keyId)
    .then((row) => askAgainAtMs.set(keyId, Date.now() + (row?.wait_ms ?? MINUTE_MS)))
    .catch((error: unknown) => log().warn({ err: error }, 'could not record the use of a key'));
}
