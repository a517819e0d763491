import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import { findHome, findMembership } from './memberships-sql';
import type { Organization, OrganizationSummary } from './schema';

interface MembershipRow {
  role: Role;
  organization: { id: string; name: string; createdAt: Date };
}

const ORGANIZATION = { select: { id: true, name: true, createdAt: true } } as const;

/** Converts a membership row to the organization as its member sees it. */
function presentOrganization({ role, organization }: MembershipRow): Organization {
  return {
    id: organization.id,
    name: organization.name,
    role,
    createdAt: organization.createdAt.toISOString(),
  };
}

/** Lists the organizations the caller belongs to, newest first. */
export async function listOrganizations(caller: PersonCaller, page: Page): Promise<Listing<Organization>> {
  const rows = await prisma().membership.findMany({
    where: {
      userId: caller.userId,
      organization: { deletedAt: null },
      ...(page.cursor === undefined ? {} : { organizationId: { lt: page.cursor } }),
    },
    select: { role: true, organization: ORGANIZATION },
    orderBy: { organizationId: 'desc' },
    take: page.limit + 1,
  });
  return toListing(
    rows.map((row) => ({ id: row.organization.id, row })),
    page.limit,
    ({ row }) => presentOrganization(row),
  );
}

/** Lists all organizations of a person, oldest first, for the organization switcher. */
export async function listOwnMemberships(userId: string): Promise<OrganizationSummary[]> {
  const rows = await prisma().membership.findMany({
    where: { userId, organization: { deletedAt: null } },
    select: { role: true, organization: ORGANIZATION },
    orderBy: { organizationId: 'asc' },
  });
  return rows.map(({ role, organization }) => ({ id: organization.id, name: organization.name, role }));
}

/** Returns one of the caller's organizations. @throws AppError not_found */
export async function getOrganization(caller: PersonCaller, organizationId: string): Promise<Organization> {
  const row = await prisma().membership.findFirst({
    where: { userId: caller.userId, organizationId, organization: { deletedAt: null } },
    select: { role: true, organization: ORGANIZATION },
  });
  if (row === null) throw notFound('organization');
  return presentOrganization(row);
}

/** Returns an organization that the person still belongs to. @throws AppError not_found */
export async function getMembership(sql: Sql, userId: string, organizationId: string): Promise<OrganizationSummary> {
  const organization = await findMembership.first(sql, userId, organizationId);
  if (organization === undefined) throw notFound('organization');
  return organization;
}

/**
 * Returns the organization for a person's session: the preferred one while they belong to it, else their oldest, else
 * null.
 */
export async function findHomeOrganization(
  sql: Sql,
  userId: string,
  preferredId: string | null,
): Promise<OrganizationSummary | null> {
  return (await findHome.first(sql, userId, preferredId)) ?? null;
}
