import type { AnonymousCaller } from '@/lib/audit/caller';
import type { InvitationPreview } from '@/lib/orgs/schema';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { invalidInvitation } from './invalid-invitation';
import { findPreview } from './invitations-sql';

/**
 * Returns what an invitation is to, without consuming its token: the page shows it before the person accepts. It also
 * returns whether the address has an account: only readers of its mail get here, and registering reveals the same.
 *
 * @throws AppError invalid_token
 */
export async function previewInvitation(_caller: AnonymousCaller, token: string): Promise<InvitationPreview> {
  const row = await findPreview.first(database(), sha256(token));
  if (row === undefined) throw invalidInvitation();
  return { organizationName: row.name, role: row.role, email: row.email, hasAccount: row.has_account };
}
