import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

/** At once in a process: each holds a connection, and a snapshot that keeps vacuum from its work. */
export const MAX_EXPORTS = 2;
const RETRY_AFTER_SECONDS = 10;

/**
 * Takes the place of one export under way. A person has one at most: two downloads that somebody has left standing must not
 * keep everybody else's organization from being exported.
 *
 * @returns gives it back; calling it again does nothing
 * @throws AppError rate_limited when the person has a place already; overloaded when every place is taken
 */
export function takeExportSlot(userId: string): () => void {
  const underWay = once('organization-exports', () => new Map<symbol, string>());
  const isOwn = [...underWay.values()].includes(userId);
  if (isOwn) throw busy('rate_limited', 'Another export of yours is under way.');
  if (underWay.size >= MAX_EXPORTS) throw busy('overloaded', 'Other exports are under way.');
  const slot = Symbol('export');
  underWay.set(slot, userId);
  return () => void underWay.delete(slot);
}

function busy(code: 'rate_limited' | 'overloaded', what: string): AppError {
  return new AppError(code, `${what} Try again in a few seconds.`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
