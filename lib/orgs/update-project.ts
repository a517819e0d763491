import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { organizationOf } from './organization-of';
import { getProject } from './project-queries';
import type { Project, UpdateProjectBody } from './schema';

/** Changes the fields that the body names. @throws AppError not_found */
export async function updateProject(
  caller: PersonCaller,
  projectId: string,
  body: UpdateProjectBody,
): Promise<Project> {
  const { name } = body;
  const organizationId = organizationOf(caller);
  if (name !== undefined) {
    await inTransaction(async (tx) => {
      const { count } = await tx.prisma.project.updateMany({
        where: { id: projectId, organizationId, deletedAt: null, name: { not: name } },
        data: { name },
      });
      if (count === 0) return;
      await recordAudit(tx, caller, {
        action: 'project.updated',
        organizationId,
        target: { type: 'project', id: projectId },
        details: { fields: ['name'] },
      });
    });
  }
  return getProject(caller, projectId);
}
