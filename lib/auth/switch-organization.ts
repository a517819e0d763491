import type { PersonCaller } from '@/lib/audit/caller';
import { getMembership } from '@/lib/orgs/queries';
import type { Clock } from '@/lib/platform/clock';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { SignedIn, SwitchOrganizationBody } from './schema';
import { buildSignedIn } from './sign-in';

/**
 * Moves the caller's session, and their later sign-ins, to another of their organizations. The new access token
 * expires when the caller's does.
 * @throws AppError not_found when the caller is not a member of it; unauthenticated when the account is erased
 *   meanwhile, or the session can no longer be refreshed
 */
export function switchOrganization(
  caller: PersonCaller,
  body: SwitchOrganizationBody,
  clock: Clock,
): Promise<SignedIn> {
  return inTransaction(async (tx) => {
    const { userId, sessionId } = caller;
    // Locks the account before the session, as everything that closes sessions does.
    const { rowCount } = await tx.query('SELECT 1 FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE', [
      userId,
    ]);
    if (rowCount === 0) throw new AppError('unauthenticated', 'This account no longer exists.');
    await refuseUnlessRefreshable(tx, sessionId);
    const organization = await getMembership(tx, userId, body.organizationId);
    await tx.query('UPDATE users SET last_organization_id = $2 WHERE id = $1', [userId, organization.id]);
    await tx.query('UPDATE sessions SET organization_id = $2 WHERE id = $1 AND user_id = $3', [
      sessionId,
      organization.id,
      userId,
    ]);
    return buildSignedIn(tx, { userId, sessionId, organization }, clock, caller.tokenExpiresAt);
  });
}

/** An access token must not prolong itself: a stolen one would be valid for as long as the session. */
async function refuseUnlessRefreshable(tx: Sql, sessionId: string): Promise<void> {
  const { rowCount } = await tx.query(
    'SELECT 1 FROM refresh_tokens WHERE session_id = $1 AND spent_at IS NULL AND expires_at > now()',
    [sessionId],
  );
  if (rowCount === 0) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
}
