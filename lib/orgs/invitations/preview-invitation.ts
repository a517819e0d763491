import type { AnonymousCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import type { InvitationPreview } from '@/lib/orgs/schema';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { invalidInvitation } from './invalid-invitation';

interface PreviewRow {
  name: string;
  role: Role;
  email: string;
  has_account: boolean;
}

/**
 * Returns what an invitation is to, without consuming its token: the page shows it before the person accepts. It also
 * returns whether the address has an account: only readers of its mail get here, and registering reveals the same.
 *
 * @throws AppError invalid_token
 */
export async function previewInvitation(_caller: AnonymousCaller, token: string): Promise<InvitationPreview> {
  const { rows } = await database().query<PreviewRow>(
    `SELECT o.name, i.role, i.email,
       EXISTS (SELECT FROM users u WHERE u.email = i.email AND u.erased_at IS NULL) AS has_account
     FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL
     WHERE i.token_hash = $1 AND i.accepted_at IS NULL AND i.expires_at > now()`,
    [sha256(token)],
  );
  const row = rows[0];
  if (row === undefined) throw invalidInvitation();
  return { organizationName: row.name, role: row.role, email: row.email, hasAccount: row.has_account };
}
