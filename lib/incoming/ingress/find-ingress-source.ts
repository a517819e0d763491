import { sha256 } from '@/lib/platform/crypto';
import { hotDatabase } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { type IngressSource, toIngressSource } from './ingress-source';
import { findSource } from './ingress-sql';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** About a kilobyte each. The one that was used last is at the end. */
const MAX_CACHED = 5_000;

const cache = () => once('ingress-sources', () => new Map<string, IngressSource>());

/**
 * Finds the enabled source of a URL's token. It may come from the cache: the statement that stores a request checks that the
 * source has not changed.
 * @throws AppError not_found for an unknown, disabled and deleted one alike
 */
export async function findIngressSource(token: string): Promise<IngressSource> {
  if (!TOKEN.test(token)) throw nothingHere();
  const hash = sha256(token);
  const name = hash.toString('latin1');
  const cached = cache().get(name);
  if (cached === undefined || cached.urlUntilMs <= Date.now()) return readSource(name, hash);
  keep(name, cached);
  return cached;
}

/** Reads the source of a token again. @throws AppError not_found */
export function refreshIngressSource(token: string): Promise<IngressSource> {
  const hash = sha256(token);
  return readSource(hash.toString('latin1'), hash);
}

async function readSource(name: string, hash: Buffer): Promise<IngressSource> {
  const row = await findSource.first(hotDatabase(), hash);
  cache().delete(name);
  if (row === undefined) throw nothingHere();
  const source = toIngressSource(row);
  keep(name, source);
  return source;
}

function keep(name: string, source: IngressSource): void {
  const sources = cache();
  sources.delete(name);
  sources.set(name, source);
  if (sources.size <= MAX_CACHED) return;
  const [oldest] = sources.keys();
  if (oldest !== undefined) sources.delete(oldest);
}

function nothingHere(): AppError {
  return new AppError('not_found', 'There is no source at this URL.');
}
