import { MINUTE_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';

/** Beyond it the map is cleared: each key then costs one more query, but no additional write. */
const MAX_REMEMBERED = 10_000;

/*
 * The statement itself checks the age, so that all processes together write once a minute per key: when two run at once,
 * the second waits for the row, checks it again and writes nothing. The result is the time until the next write can be
 * due.
 */
const STATEMENT = `
WITH noted AS (
  UPDATE api_keys SET last_used_at = now()
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')
  RETURNING last_used_at
)
SELECT extract(epoch FROM coalesce(n.last_used_at, k.last_used_at) + interval '1 minute' - now())::float8 * 1000 AS wait_ms
FROM api_keys k LEFT JOIN noted n ON true WHERE k.id = $1`;

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
  noteUse(keyId)
    .then((waitMs) => askAgainAtMs.set(keyId, Date.now() + waitMs))
    .catch((error: unknown) => log().warn({ err: error }, 'could not record the use of a key'));
}

/** @returns milliseconds until the next write can be due */
async function noteUse(keyId: string): Promise<number> {
  const { rows } = await database().query<{ wait_ms: number | null }>({
    name: 'touch-key',
    text: STATEMENT,
    values: [keyId],
  });
  return rows[0]?.wait_ms ?? MINUTE_MS;
}
