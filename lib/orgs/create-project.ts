import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { organizationOf } from './organization-of';
import { lockForNewProject } from './orgs-sql';
import { presentProject } from './project-queries';
import type { CreateProjectBody, Project } from './schema';

/**
 * Creates a project in the caller's organization.
 * @throws AppError limit_reached; not_found when the organization is being deleted
 */
export function createProject(caller: PersonCaller, body: CreateProjectBody): Promise<Project> {
  const organizationId = organizationOf(caller);
  return inTransaction(async (tx) => {
    // Waits for a concurrent erasure or creation, and makes a later one see the new project.
    const isLive = (await lockForNewProject.run(tx, organizationId)) > 0;
    if (!isLive) throw notFound('organization');
    refuseBeyondLimit(
      'ORGANIZATION_MAX_PROJECTS',
      await tx.prisma.project.count({ where: { organizationId, deletedAt: null } }),
    );
    const row = await tx.prisma.project.create({ data: { id: newId(), organizationId, name: body.name } });
    await recordAudit(tx, caller, {
      action: 'project.created',
      organizationId,
      target: { type: 'project', id: row.id },
      details: { targetName: row.name },
    });
    return presentProject(row);
  });
}
