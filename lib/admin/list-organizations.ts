import type { OperatorCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import { type Listing, toListing } from '@/lib/platform/pagination';
import { type OverviewRow, selectOrganizations } from './organizations-sql';
import type { ListAllOrganizationsQuery, OrganizationOverview } from './schema';

/** Lists every organization of the deployment, newest first, including those that are being removed. */
export async function listAllOrganizations(
  _caller: OperatorCaller,
  query: ListAllOrganizationsQuery,
): Promise<Listing<OrganizationOverview>> {
  const rows = await selectOrganizations.all(
    database(),
    query.cursor ?? null,
    query.name ?? null,
    query.deleted ?? null,
    query.limit + 1,
  );
  return toListing(rows, query.limit, presentOverview);
}

export function presentOverview(row: OverviewRow): OrganizationOverview {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString() ?? null,
    memberCount: row.member_count,
    projectCount: row.project_count,
  };
}
