import {
  bytes,
  enumOf,
  float,
  integer,
  nullable,
  text,
  textOf,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
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

/** Finds a key with its state, by the hash of its plaintext. */
export const findKey = statement(
  `SELECT k.id, k.project_id, p.organization_id, k.scope, ${KEY_STATE_SQL} AS state
   FROM api_keys k
   JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
   JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   WHERE k.key_hash = $keyHash`,
  {
    params: { keyHash: bytes },
    columns: {
      id: uuid,
      project_id: uuid,
      organization_id: uuid,
      scope: enumOf<KeyScope>('KeyScope'),
      state: textOf<KeyState>(),
    },
    name: 'authenticate-key',
  },
);

/** Finds what `findKey` does, for keys of open connections, in their order; a null state when one is not found. */
export const findKeys = statement(
  `SELECT CASE WHEN k.id IS NOT NULL THEN ${KEY_STATE_SQL} END AS state,
     (extract(epoch FROM LEAST(k.expires_at, k.grace_ends_at) - clock_timestamp()) * 1000)::float8 AS ends_in_ms
   FROM unnest($keys::uuid[]) WITH ORDINALITY AS given (key_id, n)
   LEFT JOIN (
     api_keys k
     JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
     JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   ) ON k.id = given.key_id
   ORDER BY given.n`,
  {
    params: { keys: uuids },
    columns: { state: nullable(textOf<KeyState>()), ends_in_ms: nullable(float) },
    name: 'authenticate-keys',
  },
);

/**
 * Records the use of a key and returns the milliseconds until the next write can be due.
 *
 * It checks the age itself, so that all processes together write once a minute per key and address: when two run at once, the second
 * waits for the row, checks it again and writes nothing.
 */
export const noteUse = statement(
  `
WITH noted AS (
  INSERT INTO key_uses AS u (key_id, last_used_at, last_used_from) VALUES ($key, now(), $address)
  ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at, last_used_from = excluded.last_used_from
  WHERE u.last_used_at <= excluded.last_used_at - interval '1 minute' OR u.last_used_from IS DISTINCT FROM excluded.last_used_from
  RETURNING last_used_at
)
SELECT extract(epoch FROM coalesce((SELECT last_used_at FROM noted), (SELECT last_used_at FROM key_uses WHERE key_id = $key))
  + interval '1 minute' - now())::float8 * 1000 AS wait_ms`,
  { params: { key: uuid, address: nullable(text) }, columns: { wait_ms: nullable(float) }, name: 'touch-key' },
);

/** Records a use of a key that was not written when it happened, unless a later one was. */
export const noteLateUse = statement(
  `INSERT INTO key_uses AS u (key_id, last_used_at, last_used_from) VALUES ($key, $at, $address)
   ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at, last_used_from = excluded.last_used_from
   WHERE u.last_used_at < excluded.last_used_at`,
  { params: { key: uuid, at: timestamp, address: nullable(text) } },
);

/**
 * Counts the keys of a project that work at this moment: `lasting` ones, and `rotated` ones in their grace period.
 *
 * The same condition as `active` in KEY_STATE_SQL, written so that the index on the end of keys serves it.
 * statement_timestamp() and not now(): the transaction may have waited for its lock since it began.
 */
export const countWorkingKeys = statement(
  `SELECT count(*) FILTER (WHERE k.rotated_at IS NULL)::int AS lasting,
          count(*) FILTER (WHERE k.rotated_at IS NOT NULL)::int AS rotated
   FROM api_keys k WHERE k.project_id = $project AND k.revoked_at IS NULL
     AND (LEAST(k.expires_at, k.grace_ends_at) IS NULL
       OR LEAST(k.expires_at, k.grace_ends_at) > statement_timestamp())`,
  { params: { project: uuid }, columns: { lasting: integer, rotated: integer } },
);

/** Locks a key of a project against rotations and revocations. */
export const lockKey = statement('SELECT FROM api_keys WHERE id = $key AND project_id = $project FOR UPDATE', {
  params: { key: uuid, project: uuid },
});

/** Reads the database's clock in the milliseconds of the columns; rounded up, a grace period of 0 would keep an old key working. */
export const readClock = statement(`SELECT date_trunc('milliseconds', clock_timestamp()) AS at`, {
  columns: { at: timestamp },
});

/**
 * Finds the project that a key may send events to, null where it may not, and the cell of its organization: the check of any key must run
 * there.
 */
export const findProjectOfKey = statement(
  `SELECT CASE WHEN k.scope = 'READ_WRITE' AND ${KEY_STATE_SQL} = 'active' THEN k.project_id END AS project_id, o.cell
   FROM api_keys k
   JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
   JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   WHERE k.key_hash = $keyHash`,
  { params: { keyHash: bytes }, columns: { project_id: nullable(uuid), cell: text } },
);
