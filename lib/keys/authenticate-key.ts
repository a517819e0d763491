import type { KeyCaller } from '@/lib/audit/caller';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import type { Origin } from '@/lib/platform/origin';
import { isWellFormedKey } from './key-format';
import { touchKey } from './touch-key';

/** What a presented key turned out to be, judged by the database's clock: no process's clock prolongs a key. */
export type KeyState = 'active' | 'expired' | 'revoked';

/**
 * SQL for the state of the key row `k`: expiry and grace to the millisecond, revocation first (spec 5.4.4–6).
 * clock_timestamp() and not now(): a statement may have waited behind others since its transaction began.
 */
export const KEY_STATE_SQL = `CASE
  WHEN k.revoked_at IS NOT NULL THEN 'revoked'
  WHEN LEAST(k.expires_at, k.grace_ends_at) <= clock_timestamp() THEN 'expired'
  ELSE 'active' END`;

interface KeyRow {
  id: string;
  project_id: string;
  organization_id: string;
  scope: 'READ_WRITE' | 'READ_ONLY';
  state: KeyState;
}

/**
 * Finds the live key behind a plaintext. No cache: a revocation acts on the next request of every process.
 * @throws AppError invalid_api_key, api_key_expired, api_key_revoked
 */
export async function authenticateKey(plaintext: string, origin: Origin): Promise<KeyCaller> {
  const { rows } = await database().query<KeyRow>({
    name: 'authenticate-key',
    text: `SELECT k.id, k.project_id, p.organization_id, k.scope, ${KEY_STATE_SQL} AS state
           FROM api_keys k
           JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
           JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
           WHERE k.key_hash = $1`,
    values: [hashOfPresented(plaintext)],
  });
  const row = rows[0];
  if (row === undefined) throw invalidKey();
  refuseUnlessActive(row.state);
  touchKey(row.id);
  return {
    type: 'key',
    keyId: row.id,
    projectId: row.project_id,
    organizationId: row.organization_id,
    scope: row.scope,
    origin,
  };
}

/** The hash to look a presented key up by. @throws AppError invalid_api_key when it cannot be a key at all */
export function hashOfPresented(plaintext: string): Buffer {
  if (!isWellFormedKey(plaintext)) throw invalidKey();
  return sha256(plaintext);
}

export function invalidKey(): AppError {
  return new AppError('invalid_api_key', 'This API key is not known.');
}

/** @throws AppError api_key_expired, api_key_revoked */
export function refuseUnlessActive(state: KeyState): void {
  if (state === 'expired') throw new AppError('api_key_expired', 'This API key has expired.');
  if (state === 'revoked') throw new AppError('api_key_revoked', 'This API key has been revoked.');
}
