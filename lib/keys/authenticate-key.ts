import { LRUCache } from 'lru-cache';
import type { KeyCaller } from '@/lib/audit/caller';
import type { ClientInfo } from '@/lib/platform/client-info';
import { MINUTE_MS } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { isReferenceGone } from '@/lib/platform/database-errors';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import type { Verdict } from '@/lib/platform/open-connections';
import { isWellFormedKey } from './key-format';
import { findKey, findKeys, type KeyState, noteLateUse, noteUse } from './keys-sql';

/**
 * Finds the key of a plaintext and checks that it works. There is no cache, so a revocation takes effect with the next
 * request in every process.
 * @param address what is shown as the place of its last use; null where nobody should see it
 * @throws AppError invalid_api_key, api_key_expired, api_key_revoked
 */
export async function authenticateKey(
  plaintext: string,
  client: ClientInfo,
  address: string | null,
): Promise<KeyCaller> {
  const row = await findKey.first(database(), { keyHash: hashPresentedKey(plaintext) });
  if (row === undefined) throw invalidKey();
  refuseUnlessActive(row.state);
  touchKey(row.id, address);
  return {
    type: 'key',
    keyId: row.id,
    projectId: row.project_id,
    organizationId: row.organization_id,
    scope: row.scope,
    client,
  };
}

/**
 * Hashes a presented key for the lookup.
 * @throws AppError invalid_api_key when the text does not have the format of a key
 */
export function hashPresentedKey(plaintext: string): Buffer {
  if (!isWellFormedKey(plaintext)) throw invalidKey();
  return sha256(plaintext);
}

export function invalidKey(): AppError {
  return new AppError(
    'invalid_api_key',
    'This API key is unknown. Check that it is complete and belongs to this deployment.',
  );
}

export function readOnlyKey(): AppError {
  return new AppError('read_only_key', 'This API key is read-only. Use a key with the READ_WRITE scope.');
}

/** @throws AppError api_key_expired, api_key_revoked */
export function refuseUnlessActive(state: KeyState): void {
  const fault = findStateFault(state);
  if (fault !== null) throw fault;
}

/** Checks that the keys with these ids, which were admitted to connections that stay open, still work. */
export async function checkKeys(keyIds: readonly string[]): Promise<Verdict[]> {
  const rows = await findKeys.all(database(), { keys: keyIds });
  return rows.map(({ state, ends_in_ms: endsInMs }) => ({
    refusal: state === null ? invalidKey() : findStateFault(state),
    endsInMs,
  }));
}

function findStateFault(state: KeyState): AppError | null {
  if (state === 'expired') return new AppError('api_key_expired', 'This API key has expired.');
  if (state === 'revoked') return new AppError('api_key_revoked', 'This API key has been revoked.');
  return null;
}

/** Beyond it the key that was used longest ago is forgotten: its next use then costs one more query. */
const MAX_REMEMBERED = 10_000;
/** Addresses of a key that are recorded at once within a minute. Further ones are recorded at its end. */
const MAX_NEW_ADDRESSES = 16;

/** A use of a key that is not written yet. */
interface PendingUse {
  at: Date;
  address: string | null;
}

/** What a process remembers of a key that it has seen. */
interface Touched {
  askAgainAtMs: number;
  /** Where it was used from since the last time that it was asked. */
  addresses: Set<string | null>;
  pending: PendingUse | null;
  timer: NodeJS.Timeout | null;
}

const touchedKeys = () => once('touched-keys', () => new LRUCache<string, Touched>({ max: MAX_REMEMBERED }));

/**
 * Records that a key was used, and from where, in the background. The first use from an address is written at once, further ones once a
 * minute per key, whatever the load and the number of processes. Those of the minute that runs are pending in this process
 * (docs/decisions/014-rotating-keys-and-secrets.md).
 */
export function touchKey(keyId: string, address: string | null): void {
  const touched = touchedKeys();
  const now = Date.now();
  const known = touched.get(keyId);
  const isAsked = known !== undefined && now < known.askAgainAtMs;
  if (isAsked && (known.addresses.has(address) || known.addresses.size >= MAX_NEW_ADDRESSES)) {
    known.pending = { at: new Date(now), address };
    known.timer ??= setTimeout(() => writeLate(keyId, known), known.askAgainAtMs - now).unref();
    return;
  }
  const key = known ?? { askAgainAtMs: 0, addresses: new Set(), pending: null, timer: null };
  touched.set(keyId, key);
  if (!isAsked) key.addresses.clear();
  key.addresses.add(address);
  key.askAgainAtMs = now + MINUTE_MS;
  key.pending = null;
  noteUse
    .first(database(), { key: keyId, address })
    .then((row) => {
      key.askAgainAtMs = Date.now() + (row?.wait_ms ?? MINUTE_MS);
    })
    .catch(warn);
}

/** A project may be deleted beside the use of its key. */
function warn(error: unknown): void {
  if (!isReferenceGone(error)) log().warn({ err: error }, 'could not record the use of a key');
}

function writeLate(keyId: string, key: Touched): void {
  key.timer = null;
  const use = key.pending;
  key.pending = null;
  if (use !== null) noteLateUse.run(database(), { key: keyId, ...use }).catch(warn);
}

/** Returns the use of a key that is pending in this process; null for none. */
export function pendingUseOf(keyId: string): PendingUse | null {
  return touchedKeys().get(keyId)?.pending ?? null;
}

/** Writes the use of a key that is pending in this process. */
export async function writePendingUse(tx: Sql, keyId: string): Promise<void> {
  const use = pendingUseOf(keyId);
  if (use !== null) await noteLateUse.run(tx, { key: keyId, ...use });
}
