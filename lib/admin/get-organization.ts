import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { prisma } from '@/lib/platform/prisma/client';
import { countDeliveriesWithAttempts, countOrganizationRows } from '@/lib/retention/own-data';
import { estimateTableSizes, type GrowingTable } from './get-stats';
import { presentOverview } from './list-organizations';
import { countParts, findOrganization, selectMembers } from './organizations-sql';
import type { OrganizationDetail, StoredRows } from './schema';

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
  await recordAudit(database(), caller, 'organization.viewed', { organizationId: row.id, targetId: row.id });
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

const KINDS: readonly { kind: StoredRows['kind']; table: GrowingTable }[] = [
  { kind: 'events', table: 'events' },
  { kind: 'incomingEvents', table: 'incoming_events' },
  { kind: 'deliveries', table: 'deliveries' },
  { kind: 'attempts', table: 'delivery_attempts' },
];

/**
 * Estimates what an organization stores of each kind. Rows are counted up to a limit; attempts and bytes are estimates.
 */
async function estimateStorage(organizationId: string): Promise<StoredRows[]> {
  const [events, incomingEvents, deliveries, sizes] = await Promise.all([
    countOrganizationRows(organizationId, 'events'),
    countOrganizationRows(organizationId, 'incoming_events'),
    countDeliveriesWithAttempts(organizationId, new Date()),
    estimateTableSizes(KINDS.map(({ table }) => table)),
  ]);
  const counted: Record<StoredRows['kind'], { rows: number; isAtLeast: boolean }> = {
    events,
    incomingEvents,
    deliveries,
    attempts: { rows: deliveries.sum, isAtLeast: deliveries.isAtLeast },
  };
  return KINDS.map(({ kind, table }) => {
    const size = sizes.find((candidate) => candidate.table === table);
    const bytesPerRow = size === undefined || size.estimatedRows === 0 ? 0 : size.sizeBytes / size.estimatedRows;
    const { rows, isAtLeast } = counted[kind];
    return { kind, rows, isAtLeast, estimatedBytes: Math.round(rows * bytesPerRow) };
  });
}
