import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

/** At once in a process: each holds a connection, and a snapshot that keeps vacuum from its work. */
export const MAX_EXPORTS = 2;
const RETRY_AFTER_SECONDS = 10;

/**
 * Takes the place of one export under way.
 * @returns gives it back; calling it again does nothing
 * @throws AppError overloaded when every place is taken
 */
export function takeExportSlot(): () => void {
  const underWay = once('organization-exports', () => new Set<symbol>());
  if (underWay.size >= MAX_EXPORTS) {
    throw new AppError('overloaded', 'Other exports are under way. Try again in a few seconds.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  const slot = Symbol('export');
  underWay.add(slot);
  return () => void underWay.delete(slot);
}
