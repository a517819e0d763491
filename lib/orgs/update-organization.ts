import type { PersonCaller } from '@/lib/audit/caller';
import { auditedRename } from './audited-rename';
import { getOrganization } from './queries';
import type { Organization, UpdateOrganizationBody } from './schema';

/** Changes the fields that the body names. @throws AppError not_found */
export async function updateOrganization(
  caller: PersonCaller,
  organizationId: string,
  { name }: UpdateOrganizationBody,
): Promise<Organization> {
  if (name !== undefined) {
    const where = { id: organizationId, deletedAt: null, name: { not: name } };
    await auditedRename(caller, { type: 'organization', id: organizationId, organizationId }, ({ organization }) =>
      organization.updateMany({ where, data: { name } }),
    );
  }
  return getOrganization(caller, organizationId);
}
