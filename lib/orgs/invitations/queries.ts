import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import { organizationOf } from '@/lib/orgs/organization-of';
import type { Invitation } from '@/lib/orgs/schema';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';

interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  inviter_id: string | null;
  inviter_name: string | null;
  inviter_email: string;
  created_at: Date;
  expires_at: Date;
}

const PENDING_SQL = `
  SELECT i.id, i.email, i.role, i.created_at, i.expires_at,
    u.id AS inviter_id, u.name AS inviter_name, u.email AS inviter_email
  FROM invitations i LEFT JOIN users u ON u.id = i.invited_by_id AND u.erased_at IS NULL
  WHERE i.organization_id = $1 AND i.accepted_at IS NULL AND i.expires_at > now()`;

/** Lists the invitations to the caller's organization that can still be accepted, newest first. */
export async function listInvitations(caller: PersonCaller, page: Page): Promise<Listing<Invitation>> {
  const { rows } = await database().query<InvitationRow>(
    `${PENDING_SQL} AND ($2::uuid IS NULL OR i.id < $2) ORDER BY i.id DESC LIMIT $3`,
    [organizationOf(caller), page.cursor ?? null, page.limit + 1],
  );
  return toListing(rows, page.limit, presentInvitation);
}

/** Returns an invitation that can still be accepted. @throws AppError not_found */
export async function getInvitation(sql: Sql, organizationId: string, invitationId: string): Promise<Invitation> {
  const { rows } = await sql.query<InvitationRow>(`${PENDING_SQL} AND i.id = $2`, [organizationId, invitationId]);
  if (rows[0] === undefined) throw notFound('invitation');
  return presentInvitation(rows[0]);
}

function presentInvitation(row: InvitationRow): Invitation {
  const { inviter_id: id, inviter_name: name, inviter_email: email } = row;
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: id === null ? null : { id, name, email },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
