import type { PersonCaller } from '@/lib/audit/caller';
import { auditedRename } from './audited-rename';
import { organizationOf } from './organization-of';
import { getProject } from './project-queries';
import type { Project, UpdateProjectBody } from './schema';

/** Changes the fields that the body names. @throws AppError not_found */
export async function updateProject(
  caller: PersonCaller,
  projectId: string,
  { name }: UpdateProjectBody,
): Promise<Project> {
  const organizationId = organizationOf(caller);
  if (name !== undefined) {
    const where = { id: projectId, organizationId, deletedAt: null, name: { not: name } };
    await auditedRename(caller, { type: 'project', id: projectId, organizationId }, ({ project }) =>
      project.updateMany({ where, data: { name } }),
    );
  }
  return getProject(caller, projectId);
}
