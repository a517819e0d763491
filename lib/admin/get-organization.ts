import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { chooseCell } from '@/lib/platform/cells/current-cell';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { inCamelCase, present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import { countDeliveriesWithAttempts, countOrganizationRows } from '@/lib/retention/own-data';
import { estimateTableSizes, type GrowingTable } from './get-stats';
import { presentOverview } from './list-organizations';
import { countParts, findOrganization, selectMembers } from './organizations-sql';
import { MemberOverview, type OrganizationDetail, ProjectOverview, StoredRows } from './schema';

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
  const row = await findOrganization.first(database(), { organization: organizationId });
  if (row === undefined) throw notFound('organization');
  chooseCell(row.cell);
  const [members, projects, counts, storage] = await Promise.all([
    selectMembers.all(database(), { organization: row.id, limit: SHOWN }),
    prisma().project.findMany({ where: { organizationId: row.id }, orderBy: { id: 'desc' }, take: SHOWN }),
    countParts.one(database(), { organization: row.id }),
    estimateStorage(row.id),
  ]);
  await recordAudit(database(), caller, 'organization.viewed', { organizationId: row.id, targetId: row.id });
  return {
    ...presentOverview(row),
    cell: row.cell,
    members: members.map((member) => present(MemberOverview, inCamelCase(member))),
    projects: projects.map((project) => present(ProjectOverview, project)),
    counts,
    storage,
  };
}

const TABLE_OF = {
  events: 'events',
  incomingEvents: 'incoming_events',
  deliveries: 'deliveries',
  attempts: 'delivery_attempts',
} as const satisfies Record<StoredRows['kind'], GrowingTable>;

/**
 * Estimates what an organization stores of each kind. Rows are counted up to a limit; attempts and bytes are estimates.
 */
async function estimateStorage(organizationId: string): Promise<StoredRows[]> {
  const [events, incomingEvents, deliveries, sizes] = await Promise.all([
    countOrganizationRows(organizationId, 'events'),
    countOrganizationRows(organizationId, 'incoming_events'),
    countDeliveriesWithAttempts(organizationId, new Date()),
    estimateTableSizes(Object.values(TABLE_OF)),
  ]);
  const counted = { events, incomingEvents, deliveries, attempts: { ...deliveries, rows: deliveries.sum } };
  return StoredRows.shape.kind.options.map((kind) => {
    const size = sizes.find(({ table }) => table === TABLE_OF[kind]);
    const bytesPerRow = size === undefined || size.estimatedRows === 0 ? 0 : size.sizeBytes / size.estimatedRows;
    const { rows, isAtLeast } = counted[kind];
    return { kind, rows, isAtLeast, estimatedBytes: Math.round(rows * bytesPerRow) };
  });
}
