import type { Project as ProjectRow } from '@/lib/platform/prisma/generated/client';
import type { Project } from './schema';

/** A project as the API shows it. */
export function presentProject(row: ProjectRow): Project {
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
