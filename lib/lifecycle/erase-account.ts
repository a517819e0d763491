import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudit, recordAudits } from '@/lib/audit/record-audit';
import { closeSessions } from '@/lib/auth/close-sessions';
import { endLockout } from '@/lib/auth/lockout';
import { revokeInvitations } from '@/lib/orgs/invitations/invitations';
import { lastOwner, listMembershipCounts, lockOrganizations } from '@/lib/orgs/locks';
import { config } from '@/lib/platform/config/config';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { enforceRateLimits } from '@/lib/platform/rate-limit';
import { retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { anonymizeAccount, type ErasedAccount, sweepErasedAccounts } from './anonymize-account';
import { deleteOrganizations } from './erase-organization';
import { planErasure } from './erasure-policy';
import { purgeOrganizations } from './purge-organization';
import { findOpenSession, lockAccount } from './purge-sql';
import type { ErasurePreview } from './schema';

/** Attempts of a person. Each that is refused locks the account and its organizations, and closes sessions that the rollback restores. */
const ATTEMPTS = { name: 'erase-account', points: 10, windowSeconds: 60 * 60 };
/** How long the request waits for the rows to be removed; workers finish the rest. */
const PURGE_BUDGET_MS = 500;

/**
 * Erases the caller's account in one transaction: replaces identifying data, closes every session, removes every
 * membership, and deletes organizations without other members. The rest follows at once, or a worker does it.
 * See docs/specification.md#export-and-erasure.
 *
 * @throws AppError last_owner with every organization that would have members and no owner; rate_limited beyond ten attempts an hour;
 *   unauthenticated when the account or the session has ended in the meantime
 */
export async function eraseAccount(caller: PersonCaller): Promise<void> {
  await enforceRateLimits([{ ...ATTEMPTS, key: caller.userId }], caller.client);
  const deletedIds = await retryLockedTransaction((tx) => eraseInTransaction(tx, caller));
  await finish(caller.userId, deletedIds).catch((error: unknown) => {
    log().warn({ err: error }, 'erasure not finished; workers will finish it');
  });
}

/** Returns what erasing the caller's account would do at this moment. The erasure itself decides again. */
export async function previewErasure(caller: PersonCaller): Promise<ErasurePreview> {
  return planErasure(await listMembershipCounts(database(), caller.userId));
}

async function eraseInTransaction(tx: Sql, caller: PersonCaller): Promise<string[]> {
  const { userId } = caller;
  const { email, isProven } = await lockOwnAccount(tx, caller);
  // The entries have no IP address: it identifies the person.
  const actor: Actor = { type: 'user', userId, ipAddress: null };
  // Before other members wait for the locks of the organizations: a person may have thousands of sessions.
  await closeSessions(tx, userId, actor);
  const { deletes, blocks, leaves } = await lockAndPlan(tx, userId);
  if (blocks.length > 0) throw lastOwner(blocks);
  await lockCopiedTables(tx);
  const deletedIds = deletes.map(({ id }) => id);
  await deleteOrganizations(tx, actor, deletedIds, { cause: 'account.deleted' });
  // The memberships are removed with the other rows of the person.
  const leftIds = leaves.map(({ id }) => id);
  await recordAudits(
    tx,
    actor,
    'member.removed',
    leftIds.map((id) => ({ organizationId: id, targetId: userId, details: { cause: 'account.deleted' } })),
  );
  await revokeInvitations(tx, actor, { organizationIds: leftIds, inviterId: userId, inviterRole: null });
  await endLockout(tx, email);
  await anonymizeAccount(tx, { userId, email });
  await recordAudit(tx, actor, 'account.deleted', { organizationId: null, targetId: userId });
  // An address that was never verified may belong to a stranger.
  if (isProven) await sendAccountDeletedMail(tx, { userId, email });
  return deletedIds;
}

/**
 * Locks the account before anything else of the person, as every sign-in does. A concurrent sign-in either ends first, so
 * that its session is closed here, or waits and finds no account. A membership that is being added waits as well.
 */
async function lockOwnAccount(
  tx: Sql,
  { userId, sessionId }: PersonCaller,
): Promise<{ email: string; isProven: boolean }> {
  const account = await lockAccount.first(tx, { user: userId });
  const isOpen = (await findOpenSession.run(tx, { session: sessionId, user: userId })) === 1;
  if (account === undefined || !isOpen) {
    throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
  }
  return { email: account.email, isProven: account.is_proven };
}

async function lockAndPlan(tx: Sql, userId: string) {
  const before = await listMembershipCounts(tx, userId);
  await lockOrganizations(
    tx,
    before.map(({ id }) => id),
  );
  // Read again under the lock: memberships may have changed before it was held.
  return planErasure(await listMembershipCounts(tx, userId));
}

async function finish(userId: string, organizationIds: readonly string[]): Promise<void> {
  const endsAt = performance.now() + PURGE_BUDGET_MS;
  await sweepErasedAccounts([userId], { endsAt, isPaced: false });
  await purgeOrganizations(organizationIds, endsAt - performance.now());
}

/**
 * Queues a last email that tells the person about the deletion, in case someone else did it. Like every email it is
 * encrypted in the outbox and deleted once it is sent. A worker deletes it if it cannot be sent.
 */
async function sendAccountDeletedMail(tx: Sql, { userId, email }: ErasedAccount): Promise<void> {
  await enqueueMail(tx, {
    to: email,
    userId,
    ...layOutMail({
      subject: 'Your account was deleted',
      paragraphs: [
        'Your account was deleted from one of its sessions. We erased your personal data, closed all sessions, and deleted the organizations that had no other members.',
        'This can’t be undone. We won’t email this address again. You can use it for a new account.',
      ],
      closing: [
        `If this wasn’t you, someone else was signed in to your account. Secure your mailbox and change your other passwords. You can create a new account at ${config().baseUrl}/register.`,
      ],
    }),
  });
}
