import { lockAccount } from '@/lib/accounts/accounts';
import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import type { Role } from '@/lib/audit/types';
import { chooseCellOfNew } from '@/lib/platform/cells/cells';
import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { limitReached, refuseBeyondDeleted, refuseBeyondLimit } from '@/lib/platform/limits';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { requireRole } from './locks';
import { findHome, findMembership, insertOrganization, insertOwner } from './orgs-sql';
import {
  type CreateOrganizationBody,
  Organization,
  type OrganizationSummary,
  type UpdateOrganizationBody,
} from './schema';

interface MembershipRow {
  role: Role;
  organization: { id: string; name: string; createdAt: Date };
}

const ORGANIZATION = { select: { id: true, name: true, createdAt: true } } as const;

/** Converts a membership row to the organization as its member sees it. */
function presentOrganization({ role, organization }: MembershipRow): Organization {
  return present(Organization, { ...organization, role });
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
  const organization = await findMembership.first(sql, { user: userId, organization: organizationId });
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
  return (await findHome.first(sql, { user: userId, preferred: preferredId })) ?? null;
}

/**
 * Creates an organization that the caller owns.
 * @throws AppError limit_reached; unauthenticated when the account is erased meanwhile
 */
export function createOrganization(caller: PersonCaller, body: CreateOrganizationBody): Promise<Organization> {
  return inTransaction(async (tx) => {
    // Waits for a concurrent erasure or creation, and makes a later one see the new organization. The row of an erased
    // account stays in the table, so without this check a membership could point at it, and nobody could ever remove
    // the organization.
    await lockAccount(tx, caller.userId);
    await refuseBeyondMemberships(tx, caller.userId);
    refuseBeyondLimit('USER_MAX_ORGANIZATIONS', await countOwned(tx, caller.userId));
    await refuseBeyondDeleted('USER_MAX_ORGANIZATIONS', (skip) =>
      tx.prisma.organization.findFirst({ where: { deletedTenantId: caller.userId }, skip, select: { id: true } }),
    );
    return addOrganization(tx, caller, caller.userId, body.name);
  });
}

/** Their account lists all of them, and its erasure locks them at once. */
const MAX_MEMBERSHIPS = 1_000;

/**
 * Checks that a person may belong to another organization. The account must be locked.
 * @throws AppError limit_reached
 */
export async function refuseBeyondMemberships(tx: Transaction, userId: string): Promise<void> {
  if ((await tx.prisma.membership.count({ where: { userId } })) < MAX_MEMBERSHIPS) return;
  throw limitReached('You belong to 1,000 organizations, the most you may belong to. Leave one first.');
}

function countOwned(tx: Transaction, userId: string): Promise<number> {
  return tx.prisma.membership.count({ where: { userId, role: 'OWNER', organization: { deletedAt: null } } });
}

/**
 * Creates an organization as part of a larger change, such as a registration. A new account owns none yet, so there
 * is no limit to check.
 */
export async function addOrganization(tx: Sql, actor: Actor, ownerId: string, name: string): Promise<Organization> {
  const id = newId();
  await lockCopiedTables(tx);
  const stored = await insertOrganization.first(tx, { id, name, cell: await chooseCellOfNew(tx) });
  await insertOwner.run(tx, { organization: id, user: ownerId });
  await recordAudit(tx, actor, 'organization.created', { organizationId: id, targetId: id, details: { ownerId } });
  return { id, name, role: 'OWNER', createdAt: (stored?.created_at ?? new Date()).toISOString() };
}

/** Changes the fields that the body names. @throws AppError not_found, forbidden */
export async function updateOrganization(
  caller: PersonCaller,
  organizationId: string,
  { name }: UpdateOrganizationBody,
): Promise<Organization> {
  if (name !== undefined) {
    const where = { id: organizationId, deletedAt: null, name: { not: name } };
    await inTransaction(async (tx) => {
      await requireRole(tx, caller, 'organization.update');
      await lockCopiedTables(tx);
      const { count } = await tx.prisma.organization.updateMany({ where, data: { name } });
      if (count === 0) return;
      // Many are named after a person.
      const details = { changes: { name: {} } };
      await recordAudit(tx, caller, 'organization.updated', { organizationId, targetId: organizationId, details });
    });
  }
  return getOrganization(caller, organizationId);
}

const MAX_LENGTH = 100;

/** Returns the initial name of an organization: after the person, or after the local part of their address. */
export function defaultOrganizationName(person: { name: string | null; email: string }): string {
  const owner = firstWordOf(person.name ?? '') ?? capitalise(firstWordOf(person.email) ?? person.email);
  const suffix = "'s organization";
  return owner.slice(0, MAX_LENGTH - suffix.length).toWellFormed() + suffix;
}

function firstWordOf(text: string): string | undefined {
  return text.split('@')[0]?.match(/[\p{L}\p{M}\p{N}'’-]+/u)?.[0];
}

function capitalise(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}
