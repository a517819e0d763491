import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { prisma } from '@/lib/platform/prisma/client';
import { presentOverview } from './list-organizations';
import { estimateStorage } from './organization-storage';
import { countParts, findOrganization, selectMembers } from './organizations-sql';
import type { OrganizationDetail } from './schema';

/** Most members and most projects shown: nearly every organization has fewer. */
const SHOWN = 100;

/**
 * Reads an organization with its members, projects and stored data, even while it is being removed. Records the view in
 * its audit log, because the result has the email addresses of its members.
 *
 * @throws AppError not_found
 */
export async function getOrganizationDetail(
  caller: OperatorCaller,
  organizationId: string,
): Promise<OrganizationDetail> {
  const row = await findOrganization.first(database(), organizationId);
  if (row === undefined) throw notFound('organization');
  const [members, projects, counts, storage] = await Promise.all([
    listMembers(row.id),
    listProjects(row.id),
    countParts.first(database(), row.id),
    estimateStorage(row.id),
  ]);
  await recordAudit(database(), caller, {
    action: 'organization.viewed',
    organizationId: row.id,
    target: { type: 'organization', id: row.id },
  });
  if (counts === undefined) throw new Error('a SELECT without FROM must return one row');
  return { ...presentOverview(row), members, projects, counts, storage };
}

async function listMembers(organizationId: string): Promise<OrganizationDetail['members']> {
  const rows = await selectMembers.all(database(), organizationId, SHOWN);
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  }));
}

async function listProjects(organizationId: string): Promise<OrganizationDetail['projects']> {
  const rows = await prisma().project.findMany({
    where: { organizationId },
    orderBy: { id: 'desc' },
    take: SHOWN,
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  }));
}
