import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { limitReached, refuseBeyondLimit } from '@/lib/platform/limits';

/** Counts of the keys of a project that work at this moment. */
interface WorkingKeys {
  lasting: number;
  /** Rotated keys in their grace period. */
  rotated: number;
}

/*
 * The same condition as `active` in KEY_STATE_SQL, written so that the index on the end of keys serves it.
 * statement_timestamp() and not now(): the transaction may have waited for its lock since it began.
 */
const COUNT_SQL = `
  SELECT count(*) FILTER (WHERE k.rotated_at IS NULL)::int AS lasting,
         count(*) FILTER (WHERE k.rotated_at IS NOT NULL)::int AS rotated
  FROM api_keys k WHERE k.project_id = $1::uuid AND k.revoked_at IS NULL
    AND (LEAST(k.expires_at, k.grace_ends_at) IS NULL
      OR LEAST(k.expires_at, k.grace_ends_at) > statement_timestamp())`;

const NONE: WorkingKeys = { lasting: 0, rotated: 0 };

/** Refuses another key when the project is at its limit. The project must be locked. @throws AppError limit_reached */
export async function refuseKeyBeyondLimit(tx: Sql, projectId: string): Promise<void> {
  const { rows } = await tx.query<WorkingKeys>(COUNT_SQL, [projectId]);
  const { lasting, rotated } = rows[0] ?? NONE;
  refuseBeyondLimit('PROJECT_MAX_API_KEYS', lasting + rotated);
}

/**
 * Refuses a rotation after which too many rotated keys would still work: without this limit, rotating one key over and
 * over would pile them up. Every current key may have one predecessor in its grace period, so a project can always
 * rotate each of its keys once. Call it after the rotation, in the same transaction; the project must be locked.
 * @throws AppError limit_reached
 */
export async function refuseGraceBeyondLimit(tx: Sql, projectId: string): Promise<void> {
  const { rows } = await tx.query<WorkingKeys>(COUNT_SQL, [projectId]);
  const { lasting, rotated } = rows[0] ?? NONE;
  const most = Math.max(config().PROJECT_MAX_API_KEYS, lasting);
  if (rotated <= most) return;
  throw limitReached(
    `This project has ${most.toLocaleString('en-US')} rotated API keys in their grace period, the most it may have ` +
      '(PROJECT_MAX_API_KEYS). Rotate without a grace period, or revoke a rotated key.',
  );
}
