import { LRUCache } from 'lru-cache';
import { sha256 } from '@/lib/platform/crypto';
import { hotDatabase } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { type IngressSource, toIngressSource } from './ingress-source';
import { findSource } from './ingress-sql';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** About a kilobyte each. */
const MAX_CACHED = 5_000;

const cache = () => once('ingress-sources', () => new LRUCache<string, IngressSource>({ max: MAX_CACHED }));

/**
 * Returns the source of a URL's token if this process knows it. It may have changed: the statement that stores a request checks
 * that.
 */
export function cachedIngressSource(token: string): IngressSource | null {
  if (!TOKEN.test(token)) return null;
  const cached = cache().get(nameOf(sha256(token)));
  return cached === undefined || cached.urlUntilMs <= Date.now() ? null : cached;
}

/**
 * Reads the enabled source of a URL's token, and caches it.
 * @throws AppError not_found, the same for unknown, disabled and deleted sources
 */
export async function findIngressSource(token: string): Promise<IngressSource> {
  if (!TOKEN.test(token)) throw nothingHere();
  const hash = sha256(token);
  const row = await findSource.first(hotDatabase(), hash);
  cache().delete(nameOf(hash));
  if (row === undefined) throw nothingHere();
  const source = toIngressSource(row);
  cache().set(nameOf(hash), source);
  return source;
}

const nameOf = (hash: Buffer) => hash.toString('latin1');

function nothingHere(): AppError {
  return new AppError('not_found', 'There is no source at this URL.');
}
