import type { PersonCaller, ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange } from '@/lib/audit/record-audit';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondDeleted, refuseBeyondLimit } from '@/lib/platform/limits';
import { type Listing, newestFirst, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { lockProjectIfLive, requireRole } from './locks';
import { findLastEvents } from './orgs-sql';
import { portalLogoPath } from './portal-settings-policy';
import {
  type CreateProjectBody,
  type EventTypePolicy,
  ListedProject,
  PortalSettings,
  Project,
  type UpdatePortalBody,
  type UpdateProjectBody,
} from './schema';
import { organizationOf } from './tenant';

/** What a row keeps of a project. */
interface ProjectRow {
  id: string;
  organizationId: string;
  name: string;
  eventTypePolicy: EventTypePolicy;
  portalName: string | null;
  portalAccentColor: string | null;
  portalLogoUrl: string | null;
  portalLogoHash: string | null;
  portalAllowedOrigins: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** Returns a project as its organization sees it. */
export function presentProject(row: ProjectRow): Project {
  return present(Project, { ...row, portal: presentPortal(row) });
}

function presentPortal(row: ProjectRow): PortalSettings {
  return present(PortalSettings, {
    name: row.portalName,
    accentColor: row.portalAccentColor,
    logoUrl: row.portalLogoUrl,
    logoPath: portalLogoPath(row.portalLogoHash),
    allowedOrigins: row.portalAllowedOrigins,
  });
}

/** Lists the projects of the caller's organization, newest first. */
export async function listProjects(caller: PersonCaller, page: Page): Promise<Listing<ListedProject>> {
  const ofOrganization = { organizationId: organizationOf(caller), deletedAt: null };
  const rows = await prisma().project.findMany(newestFirst(ofOrganization, page));
  const found = await findLastEvents.all(database(), { projects: rows.map(({ id }) => id) });
  const lastEvents = new Map(found.map(({ project_id: id, at }) => [id, at]));
  return toListing(rows, page.limit, (row) =>
    present(ListedProject, { ...row, portal: presentPortal(row), lastEventAt: lastEvents.get(row.id) ?? null }),
  );
}

/** Returns a project of the caller's organization. @throws AppError not_found */
export async function getProject(caller: ProjectCaller, projectId: string): Promise<Project> {
  const row = await prisma().project.findFirst({
    where: { id: projectId, organizationId: organizationOf(caller), deletedAt: null },
  });
  if (row === null) throw notFound('project');
  return presentProject(row);
}

/**
 * Creates a project in the caller's organization.
 * @throws AppError limit_reached; forbidden; not_found when the organization is being deleted
 */
export function createProject(caller: PersonCaller, body: CreateProjectBody): Promise<Project> {
  const organizationId = organizationOf(caller);
  return inTransaction(async (tx) => {
    // Waits for a concurrent erasure or creation, and makes a later one see the new project.
    await requireRole(tx, caller, 'project.manage');
    refuseBeyondLimit(
      'ORGANIZATION_MAX_PROJECTS',
      await tx.prisma.project.count({ where: { organizationId, deletedAt: null } }),
    );
    await refuseBeyondDeleted('ORGANIZATION_MAX_PROJECTS', (skip) =>
      tx.prisma.project.findFirst({ where: { organizationId, deletedAt: { not: null } }, skip, select: { id: true } }),
    );
    await lockCopiedTables(tx);
    const row = await tx.prisma.project.create({ data: { id: newId(), organizationId, name: body.name } });
    await auditChange(tx, caller, 'project.created', row.id, { targetName: row.name });
    return presentProject(row);
  });
}

/** The picture at the URL of a logo. */
export interface PortalLogo {
  /** A keyed hash of the project and the content, in base64url. */
  hash: string;
  mediaType: string;
  content: Uint8Array<ArrayBuffer>;
}

/**
 * Changes the fields that the body names.
 * @param logo what is at the `portal.logoUrl` of the body
 * @throws AppError not_found, forbidden
 */
export function updateProject(
  caller: PersonCaller,
  projectId: string,
  { name, eventTypePolicy, portal = {} }: UpdateProjectBody,
  logo?: PortalLogo,
): Promise<Project> {
  const where = { id: projectId, organizationId: organizationOf(caller), deletedAt: null };
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(eventTypePolicy === undefined ? {} : { eventTypePolicy }),
    ...portalColumns(portal, logo),
  };
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireRole(tx, caller, 'project.manage');
    const row = await tx.prisma.project.findFirst({ where });
    if (row === null) throw notFound('project');
    const changes = changesOf(row, { ...row, ...data });
    if (changes === null) return presentProject(row);
    await lockCopiedTables(tx);
    await tx.prisma.project.updateMany({ where, data });
    if (portal.logoUrl !== undefined) await tx.prisma.portalLogo.deleteMany({ where: { projectId } });
    if (logo !== undefined) await tx.prisma.portalLogo.create({ data: { id: newId(), projectId, ...logo } });
    await auditChange(tx, caller, 'project.updated', projectId, { changes });
    return presentProject(await tx.prisma.project.findUniqueOrThrow({ where }));
  });
}

/** The columns of the settings of a portal that a body changes. */
function portalColumns({ name, accentColor, logoUrl, allowedOrigins }: UpdatePortalBody, logo: PortalLogo | undefined) {
  return {
    ...(name === undefined ? {} : { portalName: name }),
    ...(accentColor === undefined ? {} : { portalAccentColor: accentColor }),
    ...(logoUrl === undefined ? {} : { portalLogoUrl: logoUrl, portalLogoHash: logo?.hash ?? null }),
    ...(allowedOrigins === undefined ? {} : { portalAllowedOrigins: allowedOrigins ?? [] }),
  };
}

/** Returns what differs between two rows of a project, for the audit log; null when nothing does. */
function changesOf(before: ProjectRow, after: ProjectRow) {
  const shown = ({ name, ...row }: ProjectRow) => ({
    name,
    eventTypePolicy: row.eventTypePolicy,
    'portal.name': row.portalName,
    'portal.accentColor': row.portalAccentColor,
    'portal.logoUrl': row.portalLogoUrl,
    'portal.allowedOrigins': row.portalAllowedOrigins,
  });
  const [old, current] = [shown(before), shown(after)];
  const changes = changedFields(old, current, Object.keys(current));
  if (before.portalLogoHash === after.portalLogoHash) return changes;
  // The picture at the same URL may be another one.
  return { 'portal.logoUrl': {}, ...changes };
}

/**
 * Makes a project, its keys and everything else in it unreachable at once; its rows are deleted later in batches.
 * @throws AppError not_found, forbidden
 */
export async function deleteProject(caller: PersonCaller, projectId: string, at: Date): Promise<void> {
  const organizationId = organizationOf(caller);
  await inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireRole(tx, caller, 'project.manage');
    await lockCopiedTables(tx);
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
  if (!(await lockProjectIfLive(tx, projectId))) throw notFound('project');
}
