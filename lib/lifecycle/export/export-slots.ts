import { takeSlot } from '@/lib/platform/slots';

/** Each export holds a connection, and a snapshot that blocks vacuum. */
const EXPORTS = { name: 'organization-exports', atOnce: 2, noun: 'export' };

/**
 * Takes one of the process's slots for exports.
 *
 * @returns a function that releases the slot; calling it again does nothing
 * @throws AppError rate_limited when the person has a slot already; overloaded when every slot is taken
 */
export function takeExportSlot(userId: string): () => void {
  return takeSlot(EXPORTS, userId);
}
