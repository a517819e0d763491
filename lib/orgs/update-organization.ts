import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getOrganization } from './queries';
import type { Organization, UpdateOrganizationBody } from './schema';

/** Changes the fields that the body names. @throws AppError not_found */
export async function updateOrganization(
  caller: PersonCaller,
  organizationId: string,
  body: UpdateOrganizationBody,
): Promise<Organization> {
  const { name } = body;
  if (name !== undefined) {
    await inTransaction(async (tx) => {
      const { count } = await tx.prisma.organization.updateMany({
        where: { id: organizationId, deletedAt: null, name: { not: name } },
        data: { name },
      });
      if (count === 0) return;
      await recordAudit(tx, caller, {
        action: 'organization.updated',
        organizationId,
        target: { type: 'organization', id: organizationId },
        details: { fields: ['name'] },
      });
    });
  }
  return getOrganization(caller, organizationId);
}
