import { enumOf, float, nullable, textOf, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import type { KeyScope } from './schema';

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

/** Finds a key with its state. $1 the hash of its plaintext. */
export const findKey = statement(
  `SELECT k.id, k.project_id, p.organization_id, k.scope, ${KEY_STATE_SQL} AS state
   FROM api_keys k
   JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
   JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   WHERE k.key_hash = $1`,
  { id: uuid, project_id: uuid, organization_id: uuid, scope: enumOf<KeyScope>('KeyScope'), state: textOf<KeyState>() },
  { name: 'authenticate-key' },
);

/** Finds what `findKey` does, for keys of open connections, in their order; a null state when one is not found. $1 keys. */
export const findKeys = statement(
  `SELECT CASE WHEN k.id IS NOT NULL THEN ${KEY_STATE_SQL} END AS state,
     (extract(epoch FROM LEAST(k.expires_at, k.grace_ends_at) - clock_timestamp()) * 1000)::float8 AS ends_in_ms
   FROM unnest($1::uuid[]) WITH ORDINALITY AS given (key_id, n)
   LEFT JOIN (
     api_keys k
     JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
     JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   ) ON k.id = given.key_id
   ORDER BY given.n`,
  { state: nullable(textOf<KeyState>()), ends_in_ms: nullable(float) },
  { name: 'authenticate-keys' },
);
