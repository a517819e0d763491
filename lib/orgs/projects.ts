import type { PersonCaller, ProjectCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { type Listing, newestFirst, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { auditedRename } from './organizations';
import { findLastEvents, lockForNewProject, lockLiveProject } from './orgs-sql';
import { type CreateProjectBody, ListedProject, Project, type UpdateProjectBody } from './schema';
import { organizationOf } from './tenant';

/** Lists the projects of the caller's organization, newest first. */
export async function listProjects(caller: PersonCaller, page: Page): Promise<Listing<ListedProject>> {
  const ofOrganization = { organizationId: organizationOf(caller), deletedAt: null };
  const rows = await prisma().project.findMany(newestFirst(ofOrganization, page));
  const found = await findLastEvents.all(database(), { projects: rows.map(({ id }) => id) });
  const lastEvents = new Map(found.map(({ project_id: id, at }) => [id, at]));
  return toListing(rows, page.limit, (row) =>
    present(ListedProject, { ...row, lastEventAt: lastEvents.get(row.id) ?? null }),
  );
}

/** Returns a project of the caller's organization. @throws AppError not_found */
export async function getProject(caller: ProjectCaller, projectId: string): Promise<Project> {
  const row = await prisma().project.findFirst({
    where: { id: projectId, organizationId: organizationOf(caller), deletedAt: null },
  });
  if (row === null) throw notFound('project');
  return present(Project, row);
}

/**
 * Creates a project in the caller's organization.
 * @throws AppError limit_reached; not_found when the organization is being deleted
 */
export function createProject(caller: PersonCaller, body: CreateProjectBody): Promise<Project> {
  const organizationId = organizationOf(caller);
  return inTransaction(async (tx) => {
    // Waits for a concurrent erasure or creation, and makes a later one see the new project.
    const isLive = (await lockForNewProject.run(tx, { organization: organizationId })) > 0;
    if (!isLive) throw notFound('organization');
    refuseBeyondLimit(
      'ORGANIZATION_MAX_PROJECTS',
      await tx.prisma.project.count({ where: { organizationId, deletedAt: null } }),
    );
    const row = await tx.prisma.project.create({ data: { id: newId(), organizationId, name: body.name } });
    await auditChange(tx, caller, 'project.created', row.id, { targetName: row.name });
    return present(Project, row);
  });
}

/** Changes the fields that the body names. @throws AppError not_found */
export async function updateProject(
  caller: PersonCaller,
  projectId: string,
  { name }: UpdateProjectBody,
): Promise<Project> {
  const organizationId = organizationOf(caller);
  if (name !== undefined) {
    const where = { id: projectId, organizationId, deletedAt: null, name: { not: name } };
    await auditedRename(caller, { type: 'project', id: projectId, organizationId }, async ({ project }) => {
      const before = await project.findFirst({ where, select: { name: true } });
      const { count } = await project.updateMany({ where, data: { name } });
      return before === null || count === 0 ? null : { from: before.name, to: name };
    });
  }
  return getProject(caller, projectId);
}

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
    await auditChange(tx, caller, 'project.deleted', projectId, { targetName: name });
  });
}

/**
 * Locks a project, so that changes which count its rows run one after the other.
 * @throws AppError not_found when it is being deleted
 */
export async function lockProject(tx: Sql, projectId: string): Promise<void> {
  const isLive = (await lockLiveProject.run(tx, { project: projectId })) > 0;
  if (!isLive) throw notFound('project');
}
