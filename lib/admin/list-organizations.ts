import type { OperatorCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import { type Listing, toListing } from '@/lib/platform/pagination';
import type { ListAllOrganizationsQuery, OrganizationOverview } from './schema';

export interface OverviewRow {
  id: string;
  name: string;
  created_at: Date;
  deleted_at: Date | null;
  member_count: number;
  project_count: number;
}

/** SQL for the columns of an OverviewRow of the organization `o`. */
export const OVERVIEW_COLUMNS = `
  o.id, o.name, o.created_at, o.deleted_at,
  (SELECT count(*)::int FROM memberships m WHERE m.organization_id = o.id) AS member_count,
  (SELECT count(*)::int FROM projects p WHERE p.organization_id = o.id AND p.deleted_at IS NULL) AS project_count`;

/** Lists every organization of the deployment, newest first, including those that are being removed. */
export async function listAllOrganizations(
  _caller: OperatorCaller,
  query: ListAllOrganizationsQuery,
): Promise<Listing<OrganizationOverview>> {
  const { rows } = await database().query<OverviewRow>(
    `SELECT ${OVERVIEW_COLUMNS} FROM organizations o
     WHERE ($1::uuid IS NULL OR o.id < $1)
       AND ($2::text IS NULL OR position(lower($2) IN lower(o.name)) > 0)
       AND ($3::boolean IS NULL OR (o.deleted_at IS NOT NULL) = $3)
     ORDER BY o.id DESC LIMIT $4`,
    [query.cursor ?? null, query.name ?? null, query.deleted ?? null, query.limit + 1],
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
