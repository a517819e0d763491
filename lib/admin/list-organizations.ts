import type { OperatorCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import { type Listing, pageToListing } from '@/lib/platform/pagination';
import { inCamelCase, present } from '@/lib/platform/present';
import { scanPage } from '@/lib/platform/sql/bounded-scan';
import { ORGANIZATION_ROWS, type OverviewRow, organizationScan } from './organizations-sql';
import { type ListAllOrganizationsQuery, OrganizationOverview } from './schema';

/** Lists every organization of the deployment, newest first, including those that are being removed. */
export async function listAllOrganizations(
  _caller: OperatorCaller,
  query: ListAllOrganizationsQuery,
): Promise<Listing<OrganizationOverview>> {
  const page = await scanPage(database(), organizationScan(query.name, query.deleted), query, ORGANIZATION_ROWS);
  return pageToListing(page, presentOverview);
}

export function presentOverview(row: OverviewRow): OrganizationOverview {
  return present(OrganizationOverview, inCamelCase(row));
}
