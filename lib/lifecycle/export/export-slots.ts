import { takeSlot } from '@/lib/platform/slots';

/** Each export holds a connection, and a snapshot that blocks vacuum. */
const EXPORTS = { name: 'organization-exports', atOnce: 2, perOrganization: 1, noun: 'export' };

/**
 * Takes one of the process's slots for exports.
 *
 * @returns a function that releases the slot; calling it again does nothing
 * @throws AppError rate_limited when the person or the organization has a slot already; overloaded when every slot is taken
 */
export function takeExportSlot(userId: string, organizationId: string): () => void {
  return takeSlot(EXPORTS, { id: userId, organizationId });
}
