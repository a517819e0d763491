import { findTenant } from '@/lib/orgs/find-tenant';
import { type Slot, takeSlot } from '@/lib/platform/slots';

/** Each export holds a connection, and a snapshot that blocks vacuum. */
const EXPORTS = { name: 'organization-exports', atOnce: 2, perOrganization: 1, perOwner: 1, noun: 'export' };

/**
 * Takes one of the process's slots for exports.
 *
 * @throws AppError rate_limited when the person, the organization or its owner has a slot already; overloaded when every slot is
 *   taken and its export is being read
 */
export async function takeExportSlot(userId: string, organizationId: string): Promise<Slot> {
  return takeSlot(EXPORTS, { id: userId, ...(await findTenant(organizationId)) });
}
