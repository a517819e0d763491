import type { Project as ProjectRow } from '@/lib/platform/prisma/generated/client';
import type { Project } from './schema';

/** Converts a project row to the API's form. */
export function presentProject(row: Pick<ProjectRow, keyof Project>): Project {
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
