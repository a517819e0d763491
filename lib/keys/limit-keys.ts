import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { limitReached, refuseBeyondLimit } from '@/lib/platform/limits';
import { countWorkingKeys } from './limit-keys-sql';

const NONE = { lasting: 0, rotated: 0 };

/** Refuses another key when the project is at its limit. The project must be locked. @throws AppError limit_reached */
export async function refuseKeyBeyondLimit(tx: Sql, projectId: string): Promise<void> {
  const { lasting, rotated } = (await countWorkingKeys.first(tx, projectId)) ?? NONE;
  refuseBeyondLimit('PROJECT_MAX_API_KEYS', lasting + rotated);
}

/**
 * Refuses a rotation after which too many rotated keys would still work: without this limit, rotating one key over and
 * over would pile them up. Every current key may have one predecessor in its grace period, so a project can always
 * rotate each of its keys once. Call it after the rotation, in the same transaction; the project must be locked.
 * @throws AppError limit_reached
 */
export async function refuseGraceBeyondLimit(tx: Sql, projectId: string): Promise<void> {
  const { lasting, rotated } = (await countWorkingKeys.first(tx, projectId)) ?? NONE;
  const most = Math.max(config().PROJECT_MAX_API_KEYS, lasting);
  if (rotated <= most) return;
  throw limitReached(
    `This project has ${most.toLocaleString('en-US')} rotated API keys in their grace period, the most it may have ` +
      '(PROJECT_MAX_API_KEYS). Rotate without a grace period, or revoke a rotated key.',
  );
}
