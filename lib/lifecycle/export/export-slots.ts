import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

/** Concurrent exports in a process. Each holds a connection, and a snapshot that blocks vacuum. */
const MAX_EXPORTS = 2;
const RETRY_AFTER_SECONDS = 10;

/**
 * Takes one of the process's slots for exports. A person has one at most: two stalled downloads of one person must not
 * block the exports of everybody else.
 *
 * @returns a function that releases the slot; calling it again does nothing
 * @throws AppError rate_limited when the person has a slot already; overloaded when every slot is taken
 */
export function takeExportSlot(userId: string): () => void {
  const underWay = once('organization-exports', () => new Map<symbol, string>());
  const isOwn = [...underWay.values()].includes(userId);
  if (isOwn) throw busy('rate_limited', 'You already have an export in progress.');
  if (underWay.size >= MAX_EXPORTS) throw busy('overloaded', 'Too many exports are in progress.');
  const slot = Symbol('export');
  underWay.set(slot, userId);
  return () => void underWay.delete(slot);
}

function busy(code: 'rate_limited' | 'overloaded', what: string): AppError {
  return new AppError(code, `${what} Try again in a few seconds.`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
