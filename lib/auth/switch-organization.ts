import { lockAccount } from '@/lib/accounts/lock-account';
import type { PersonCaller } from '@/lib/audit/caller';
import { getMembership } from '@/lib/orgs/queries';
import type { Clock } from '@/lib/platform/clock';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { findUnspentToken } from './refresh-sql';
import type { SignedIn, SwitchOrganizationBody } from './schema';
import { moveSession, setLastOrganization } from './sessions-sql';
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
    await lockAccount(tx, userId);
    await refuseUnlessRefreshable(tx, sessionId);
    const organization = await getMembership(tx, userId, body.organizationId);
    await setLastOrganization.run(tx, userId, organization.id);
    await moveSession.run(tx, sessionId, organization.id, userId);
    return buildSignedIn(tx, { userId, sessionId, organization }, clock, caller.tokenExpiresAt);
  });
}

/** An access token must not prolong itself: a stolen one would be valid for as long as the session. */
async function refuseUnlessRefreshable(tx: Sql, sessionId: string): Promise<void> {
  const isRefreshable = (await findUnspentToken.run(tx, sessionId)) > 0;
  if (!isRefreshable) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
}
