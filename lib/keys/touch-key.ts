import { MINUTE_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';

/** Beyond it everything is forgotten: each key then costs one look at the database more, never a write more. */
const MAX_REMEMBERED = 10_000;

/*
 * The guard stands in the statement, so that all processes together write once a minute a key; of two at once the second
 * waits for the row, judges it anew and writes nothing. The answer is how long the key need not be asked about.
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
 * Notes that a key was used: at most one write a minute a key, whatever the load and the number of processes, and never on
 * the request's own path. `last_used_at` is up to a minute behind; nothing is decided by it.
 */
export function touchKey(keyId: string): void {
  const askAgainAtMs = once('touched-keys', () => new Map<string, number>());
  const now = Date.now();
  if (now < (askAgainAtMs.get(keyId) ?? 0)) return;
  if (askAgainAtMs.size >= MAX_REMEMBERED) askAgainAtMs.clear();
  askAgainAtMs.set(keyId, now + MINUTE_MS);
  noteUse(keyId)
    .then((waitMs) => askAgainAtMs.set(keyId, Date.now() + waitMs))
    .catch((error: unknown) => log().warn({ err: error }, 'could not note the use of a key'));
}

/** @returns milliseconds until the next use is worth noting */
async function noteUse(keyId: string): Promise<number> {
  const { rows } = await database().query<{ wait_ms: number | null }>({
    name: 'touch-key',
    text: STATEMENT,
    values: [keyId],
  });
  return rows[0]?.wait_ms ?? MINUTE_MS;
}
