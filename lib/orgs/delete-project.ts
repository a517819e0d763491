import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { organizationOf } from './organization-of';

/**
 * Makes a project, its keys and everything else in it unreachable at once; its rows are deleted later in batches.
 * @throws AppError not_found
 */
export async function deleteProject(caller: PersonCaller, projectId: string, at: Date): Promise<void> {
  const organizationId = organizationOf(caller);
  await inTransaction(async (tx) => {
    const { count } = await tx.prisma.project.updateMany({
      where: { id: projectId, organizationId, deletedAt: null },
      data: { deletedAt: at },
    });
    if (count === 0) throw notFound('project');
    const { name } = await tx.prisma.project.findUniqueOrThrow({ where: { id: projectId, organizationId } });
    await recordAudit(tx, caller, {
      action: 'project.deleted',
      organizationId,
      target: { type: 'project', id: projectId },
      details: { targetName: name },
    });
  });
}
