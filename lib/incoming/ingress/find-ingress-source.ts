import { LRUCache } from 'lru-cache';
import type { SignatureForm } from '@/lib/delivery/signature-schemes-policy';
import type { SourceProvider } from '@/lib/incoming/schema';
import { formOfSource } from '@/lib/incoming/sources/signature-fields';
import { tryOpenSourceSecret, UNREADABLE_SECRET } from '@/lib/incoming/sources/source-secret';
import { chooseCellOfProject, inShareOfProject, projectsOfUrlTokens } from '@/lib/orgs/tenant';
import { hasSeveralCells } from '@/lib/platform/cells/current-cell';
import { sha256 } from '@/lib/platform/crypto';
import { database, hotDatabase, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import type { RowOf } from '@/lib/platform/sql/statement';
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
  const tokenHash = sha256(token);
  // Whoever calls the URL names no organization.
  if (hasSeveralCells()) {
    const projectId = (await projectsOfUrlTokens([tokenHash])).get(tokenHash.toString('hex'));
    if (projectId === undefined) throw nothingHere();
    await chooseCellOfProject(projectId);
  }
  return readSource(hotDatabase(), tokenHash);
}

/**
 * Reads a source again in the share of its owner: whoever has its URL can send challenges and false signatures, and each reads it.
 * @throws AppError as `findIngressSource`; rate_limited, overloaded
 */
export function refreshIngressSource({ projectId }: IngressSource, token: string): Promise<IngressSource> {
  return inShareOfProject(projectId, () => readSource(database(), sha256(token)));
}

async function readSource(sql: Sql, tokenHash: Buffer): Promise<IngressSource> {
  const row = await findSource.first(sql, { tokenHash });
  cache().delete(nameOf(tokenHash));
  if (row === undefined) throw nothingHere();
  const source = toIngressSource(row);
  cache().set(nameOf(tokenHash), source);
  return source;
}

const nameOf = (hash: Buffer) => hash.toString('latin1');

function nothingHere(): AppError {
  return new AppError('not_found', 'There is no source at this URL.');
}

/** Somebody has to set the secret first. */
const RETRY = { retryAfterSeconds: 60 };

/** A source, prepared for receiving requests. */
export interface IngressSource {
  id: string;
  projectId: string;
  provider: SourceProvider;
  /** Secrets with the time at which each ends, in milliseconds since 1970. */
  secrets: readonly { secret: string; untilMs: number }[];
  /** How requests are signed; null without signatures. */
  form: SignatureForm | null;
  /** Differs after every change of the source. */
  version: string;
  /** When the URL that was used ends, in milliseconds since 1970. */
  urlUntilMs: number;
  /** When it was read, by performance.now(). */
  readAt: number;
}

/**
 * Decrypts the secrets of a row, but for a previous one that no key of ENCRYPTION_KEY decrypts.
 * @throws AppError unavailable when none decrypts the current one: a provider sends its requests again
 */
function toIngressSource(row: RowOf<typeof findSource.columns>): IngressSource {
  const current = row.secret && tryOpenSourceSecret(row.secret, row.id);
  if (row.secret !== null && current === null) throw new AppError('unavailable', UNREADABLE_SECRET, RETRY);
  const previous = row.previous_secret && tryOpenSourceSecret(row.previous_secret, row.id);
  const secrets = [
    { secret: current, untilMs: Number.POSITIVE_INFINITY },
    { secret: previous, untilMs: row.previous_secret_until_ms ?? 0 },
  ];
  return {
    id: row.id,
    projectId: row.project_id,
    provider: row.provider,
    secrets: secrets.flatMap(({ secret, untilMs }) => (secret === null ? [] : [{ secret, untilMs }])),
    form: row.provider === 'NONE' ? null : formOfSource(row, row.provider),
    version: row.version,
    urlUntilMs: row.token_until_ms ?? Number.POSITIVE_INFINITY,
    readAt: performance.now(),
  };
}
