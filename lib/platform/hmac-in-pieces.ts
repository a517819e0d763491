import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairSemaphore, type SemaphoreLimits } from './fair-semaphore';
import { once } from './globals';

/** What is hashed in a turn of the event loop: half a millisecond. */
const PIECE_BYTES = 256 * 1024;
/** One at a time, so that each turn of the event loop has one piece, however many wait. */
const LIMITS: SemaphoreLimits = { width: 1, widthPerTenant: 1, waiting: 5_000, waitingPerTenant: 2_000 };

/**
 * Computes an HMAC of the concatenated parts like `createHmac`, for content that would keep the thread busy. Tenants take turns.
 * @throws SemaphoreFullError when too many wait
 */
export async function hmacInPieces(
  tenant: string,
  algorithm: string,
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
): Promise<Buffer> {
  const turns = once('hmac-in-pieces', () => new FairSemaphore(LIMITS));
  const release = await turns.acquire(tenant, new AbortController().signal);
  try {
    const hmac = createHmac(algorithm, key);
    for (const part of parts) {
      if (typeof part === 'string') hmac.update(part);
      else await updateInPieces(hmac, part);
    }
    return hmac.digest();
  } finally {
    release();
  }
}

async function updateInPieces(hmac: ReturnType<typeof createHmac>, part: Buffer): Promise<void> {
  for (let at = 0; at < part.length; at += PIECE_BYTES) {
    hmac.update(part.subarray(at, at + PIECE_BYTES));
    await nextTurn();
  }
}

/** Says the HMAC of parts, one of which is large. */
type Hmac = (algorithm: string, key: string | Buffer, ...parts: readonly (string | Buffer)[]) => Buffer;

const NOT_YET = Buffer.alloc(0);

/**
 * Does work that needs HMACs of a large body: at first without any, to learn which ones it needs, and then with them.
 * @param work without side effects. Of its parts, only the body is a Buffer. It takes an empty digest for one that does not match
 */
export async function withHmacsOfLarge<T>(tenant: string, work: (hmac: Hmac) => T): Promise<T> {
  const known = new Map<string, Buffer>();
  for (;;) {
    const missing = new Map<string, Parameters<Hmac>>();
    const result = work((...given) => {
      const name = nameOf(given);
      const digest = known.get(name);
      if (digest === undefined) missing.set(name, given);
      return digest ?? NOT_YET;
    });
    if (missing.size === 0) return result;
    for (const [name, [algorithm, key, ...parts]] of missing) {
      known.set(name, await hmacInPieces(tenant, algorithm, key, parts));
    }
  }
}

function nameOf([algorithm, key, ...parts]: Parameters<Hmac>): string {
  const texts = parts.map((part) => (typeof part === 'string' ? part : null));
  return JSON.stringify([algorithm, Buffer.from(key).toString('base64'), texts]);
}
