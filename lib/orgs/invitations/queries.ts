import type { PersonCaller } from '@/lib/audit/caller';
import { organizationOf } from '@/lib/orgs/organization-of';
import type { Invitation } from '@/lib/orgs/schema';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import type { RowOf } from '@/lib/platform/sql/statement';
import { findPending, listPending } from './invitations-sql';

/** Lists the invitations to the caller's organization that can still be accepted, newest first. */
export async function listInvitations(caller: PersonCaller, page: Page): Promise<Listing<Invitation>> {
  const rows = await listPending.all(database(), organizationOf(caller), page.cursor ?? null, page.limit + 1);
  return toListing(rows, page.limit, presentInvitation);
}

/** Returns an invitation that can still be accepted. @throws AppError not_found */
export async function getInvitation(sql: Sql, organizationId: string, invitationId: string): Promise<Invitation> {
  const row = await findPending.first(sql, organizationId, invitationId);
  if (row === undefined) throw notFound('invitation');
  return presentInvitation(row);
}

/** Converts a row to an invitation of the API. */
export function presentInvitation(row: RowOf<typeof findPending.columns>): Invitation {
  const { inviter_id: id, inviter_name: name, inviter_email: email } = row;
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: id === null || email === null ? null : { id, name, email },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
