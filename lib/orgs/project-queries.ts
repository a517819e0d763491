import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { Project as ProjectRow } from '@/lib/platform/prisma/generated/client';
import { organizationOf } from './organization-of';
import { findLastEvents } from './orgs-sql';
import type { ListedProject, Project } from './schema';

/** Lists the projects of the caller's organization, newest first. */
export async function listProjects(caller: PersonCaller, page: Page): Promise<Listing<ListedProject>> {
  const rows = await prisma().project.findMany({
    where: {
      organizationId: organizationOf(caller),
      deletedAt: null,
      ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  const found = await findLastEvents.all(
    database(),
    rows.map(({ id }) => id),
  );
  const lastEvents = new Map(found.map(({ project_id: id, at }) => [id, at]));
  return toListing(rows, page.limit, (row) => ({
    ...presentProject(row),
    lastEventAt: lastEvents.get(row.id)?.toISOString() ?? null,
  }));
}

/** Returns a project of the caller's organization. @throws AppError not_found */
export async function getProject(caller: PersonCaller | KeyCaller, projectId: string): Promise<Project> {
  const row = await prisma().project.findFirst({
    where: { id: projectId, organizationId: organizationOf(caller), deletedAt: null },
  });
  if (row === null) throw notFound('project');
  return presentProject(row);
}

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
