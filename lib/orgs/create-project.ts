import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { prisma } from '@/lib/platform/prisma/client';
import { organizationOf } from './organization-of';
import { presentProject } from './present-project';
import type { CreateProjectBody, Project } from './schema';

/**
 * Creates a project in the caller's organization.
 * @throws AppError limit_reached; not_found when the organization is being deleted
 */
export function createProject(caller: PersonCaller, body: CreateProjectBody): Promise<Project> {
  const organizationId = organizationOf(caller);
  return prisma().$transaction(async (tx) => {
    // Waits for a concurrent erasure or creation, and makes a later one see the new project.
    const alive = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
    if (alive.length === 0) throw notFound('organization');
    refuseBeyondLimit(
      'ORGANIZATION_MAX_PROJECTS',
      await tx.project.count({ where: { organizationId, deletedAt: null } }),
    );
    const row = await tx.project.create({ data: { id: newId(), organizationId, name: body.name } });
    await recordAudit(tx, caller, {
      action: 'project.created',
      organizationId,
      target: { type: 'project', id: row.id },
    });
    return presentProject(row);
  });
}
