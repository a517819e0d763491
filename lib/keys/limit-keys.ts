import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { limitReached, refuseBeyondLimit } from '@/lib/platform/limits';
import type { Database } from '@/lib/platform/prisma/client';

/** The keys of a project that authenticate at this moment. */
interface WorkingKeys {
  lasting: number;
  /** Rotated, in their grace period. */
  rotated: number;
}

/*
 * What KEY_STATE_SQL calls active, put so that the index of ends serves it. statement_timestamp() and not now(): the
 * transaction has waited for its lock since it began.
 */
const COUNT_SQL = `
  SELECT count(*) FILTER (WHERE k.rotated_at IS NULL)::int AS lasting,
         count(*) FILTER (WHERE k.rotated_at IS NOT NULL)::int AS rotated
  FROM api_keys k WHERE k.project_id = $1::uuid AND k.revoked_at IS NULL
    AND (LEAST(k.expires_at, k.grace_ends_at) IS NULL
      OR LEAST(k.expires_at, k.grace_ends_at) > statement_timestamp())`;

const NONE: WorkingKeys = { lasting: 0, rotated: 0 };

/** Refuses another key of a project that has all it may. The project must be locked. @throws AppError limit_reached */
export async function refuseKeyBeyondLimit(tx: Database, projectId: string): Promise<void> {
  const [counted = NONE] = await tx.$queryRawUnsafe<WorkingKeys[]>(COUNT_SQL, projectId);
  refuseBeyondLimit('PROJECT_MAX_API_KEYS', counted.lasting + counted.rotated);
}

/**
 * Refuses a rotation that has just left one rotated key too many at work: a key rotated over and over would leave any number
 * of them. Each key that lasts may have one, so a project that rotates all its keys is never refused. The project must be
 * locked.
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
