import type { Sql } from '@/lib/platform/db';
import { enumOf, text, textOf, timestamp } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import type { KeyScope } from './schema';

/** A key to rotate, and the values of its replacement that are not copied from it. */
export interface Rotation {
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
  JOIN projects p ON p.id = k.project_id AND p.organization_id = $3 AND p.deleted_at IS NULL
  WHERE k.id = $1 AND k.project_id = $2
  FOR UPDATE OF k
),
timed AS MATERIALIZED (
  SELECT l.*, date_trunc('milliseconds', clock_timestamp()) AS at FROM locked l
),
checked AS MATERIALIZED (
  SELECT t.*, CASE
    WHEN $5::timestamptz <= t.at THEN 'expiry_passed'
    WHEN t.rotated_at IS NOT NULL THEN 'key_already_rotated'
    WHEN t.revoked_at IS NOT NULL THEN 'key_revoked'
    WHEN t.expires_at <= t.at THEN 'key_expired'
    ELSE 'rotated' END AS verdict
  FROM timed t
),
ended AS (
  UPDATE api_keys k SET rotated_at = j.at, grace_ends_at = j.at + make_interval(hours => $4::int)
  FROM checked j
  WHERE k.id = j.id AND j.verdict = 'rotated'
  RETURNING j.id, j.project_id, j.name, j.scope, j.at
),
replaced AS (
  INSERT INTO api_keys (id, project_id, name, scope, key_hash, hint, expires_at, replaces_id, created_by_id, created_at)
  SELECT $6::uuid, e.project_id, e.name, e.scope, $7::bytea, $8::text, $5::timestamptz, e.id, $9::uuid, e.at
  FROM ended e
)
SELECT verdict, name, scope, at FROM checked`,
  {
    verdict: textOf<RotationVerdict>(),
    name: text,
    scope: enumOf<KeyScope>('KeyScope'),
    /** When the rotation was decided, by the database's clock, in whole milliseconds. */
    at: timestamp,
  },
);

/**
 * Checks that a key can be rotated, sets the end of its grace period and stores its replacement, in one statement: of two
 * concurrent rotations one succeeds (docs/decisions/014-what-rotating-a-key-means.md).
 * @returns null when the project has no such key
 */
export async function storeRotation(tx: Sql, key: Rotation): Promise<RotationOutcome | null> {
  const { apiKeyId, projectId, organizationId, graceHours, replacement } = key;
  const { expiresAt, id, keyHash, hint, createdById } = replacement;
  const values = [apiKeyId, projectId, organizationId, graceHours, expiresAt, id, keyHash, hint, createdById];
  return (await rotation.first(tx, ...values)) ?? null;
}
