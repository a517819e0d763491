import type { Sql } from '@/lib/platform/db';
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
import { type RowOf, statement } from '@/lib/platform/sql/statement';
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
 * It checks the age itself, so that all processes together write once a minute per key: when two run at once, the second
 * waits for the row, checks it again and writes nothing.
 */
export const noteUse = statement(
  `
WITH noted AS (
  UPDATE api_keys SET last_used_at = now()
  WHERE id = $key AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')
  RETURNING last_used_at
)
SELECT extract(epoch FROM coalesce(n.last_used_at, k.last_used_at) + interval '1 minute' - now())::float8 * 1000 AS wait_ms
FROM api_keys k LEFT JOIN noted n ON true WHERE k.id = $key`,
  { params: { key: uuid }, columns: { wait_ms: nullable(float) }, name: 'touch-key' },
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

/** A key to rotate, and the values of its replacement that are not copied from it. */
interface Rotation {
  apiKeyId: string;
  projectId: string;
  organizationId: string;
  graceHours: number;
  replacement: { id: string; keyHash: Buffer; hint: string; expiresAt: Date | null; createdById: string };
}

/** The outcome. Only `rotated` changes anything. */
export type RotationVerdict = 'rotated' | 'expiry_passed' | 'key_already_rotated' | 'key_revoked' | 'key_expired';

export type RotationOutcome = RowOf<typeof rotation.columns>;

/*
 * The clock is read once the lock is held: a rotation that waited for another rotation or a revocation sees its result.
 * The time is truncated to the milliseconds of the columns; rounded up, a grace period of 0 would keep the old key
 * working. The old key keeps its own expiry. The earlier of the two ends it (KEY_STATE_SQL), so a rotation never
 * prolongs a key.
 */
export const rotation = statement(
  `
WITH locked AS MATERIALIZED (
  SELECT k.id, k.project_id, k.name, k.scope, k.expires_at, k.revoked_at, k.rotated_at
  FROM api_keys k
  JOIN projects p ON p.id = k.project_id AND p.organization_id = $organization AND p.deleted_at IS NULL
  WHERE k.id = $key AND k.project_id = $project
  FOR UPDATE OF k
),
timed AS MATERIALIZED (
  SELECT l.*, date_trunc('milliseconds', clock_timestamp()) AS at FROM locked l
),
checked AS MATERIALIZED (
  SELECT t.*, CASE
    WHEN $expiresAt::timestamptz <= t.at THEN 'expiry_passed'
    WHEN t.rotated_at IS NOT NULL THEN 'key_already_rotated'
    WHEN t.revoked_at IS NOT NULL THEN 'key_revoked'
    WHEN t.expires_at <= t.at THEN 'key_expired'
    ELSE 'rotated' END AS verdict
  FROM timed t
),
ended AS (
  UPDATE api_keys k SET rotated_at = j.at, grace_ends_at = j.at + make_interval(hours => $graceHours::int)
  FROM checked j
  WHERE k.id = j.id AND j.verdict = 'rotated'
  RETURNING j.id, j.project_id, j.name, j.scope, j.at
),
replaced AS (
  INSERT INTO api_keys (id, project_id, name, scope, key_hash, hint, expires_at, replaces_id, created_by_id, created_at)
  SELECT $replacement::uuid, e.project_id, e.name, e.scope, $keyHash::bytea, $hint::text, $expiresAt::timestamptz, e.id,
    $creator::uuid, e.at
  FROM ended e
)
SELECT verdict, name, scope, at FROM checked`,
  {
    params: {
      organization: uuid,
      key: uuid,
      project: uuid,
      expiresAt: nullable(timestamp),
      graceHours: integer,
      replacement: uuid,
      keyHash: bytes,
      hint: text,
      creator: uuid,
    },
    columns: {
      verdict: textOf<RotationVerdict>(),
      name: text,
      scope: enumOf<KeyScope>('KeyScope'),
      /** When the rotation was decided, by the database's clock, in whole milliseconds. */
      at: timestamp,
    },
  },
);

/**
 * Checks that a key can be rotated, sets the end of its grace period and stores its replacement, in one statement: of two
 * concurrent rotations one succeeds (docs/decisions/014-rotating-keys-and-secrets.md).
 * @returns null when the project has no such key
 */
export async function storeRotation(tx: Sql, key: Rotation): Promise<RotationOutcome | null> {
  const { apiKeyId, projectId, organizationId, graceHours, replacement } = key;
  const { expiresAt, id, keyHash, hint, createdById } = replacement;
  const stored = await rotation.first(tx, {
    key: apiKeyId,
    project: projectId,
    organization: organizationId,
    graceHours,
    expiresAt,
    replacement: id,
    keyHash,
    hint,
    creator: createdById,
  });
  return stored ?? null;
}
