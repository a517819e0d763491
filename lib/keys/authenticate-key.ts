import type { KeyCaller } from '@/lib/audit/caller';
import type { ClientInfo } from '@/lib/platform/client-info';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { isWellFormedKey } from './key-format';
import { touchKey } from './touch-key';

/** The state of a key by the database's clock, so that a process whose clock is behind cannot prolong a key. */
export type KeyState = 'active' | 'expired' | 'revoked';

/**
 * SQL for the state of the key row `k`. Revocation takes precedence over expiry; both act to the millisecond.
 * clock_timestamp() and not now(): the statement may have waited for a lock since its transaction began.
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
 * Finds the key of a plaintext and checks that it works. There is no cache, so a revocation takes effect with the next
 * request in every process.
 * @throws AppError invalid_api_key, api_key_expired, api_key_revoked
 */
export async function authenticateKey(plaintext: string, client: ClientInfo): Promise<KeyCaller> {
  const { rows } = await database().query<KeyRow>({
    name: 'authenticate-key',
    text: `SELECT k.id, k.project_id, p.organization_id, k.scope, ${KEY_STATE_SQL} AS state
           FROM api_keys k
           JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
           JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
           WHERE k.key_hash = $1`,
    values: [hashPresentedKey(plaintext)],
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

/** @throws AppError api_key_expired, api_key_revoked */
export function refuseUnlessActive(state: KeyState): void {
  if (state === 'expired') throw new AppError('api_key_expired', 'This API key has expired.');
  if (state === 'revoked') throw new AppError('api_key_revoked', 'This API key has been revoked.');
}
