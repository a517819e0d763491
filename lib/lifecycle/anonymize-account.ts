import { recordAudits } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';
import { withdrawMails } from '@/lib/platform/mail/enqueue-mail-sql';
import { retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import type { PurgePace } from './purge-project';
import {
  deleteEarlierMails,
  deleteInvitationsTo,
  deleteMails,
  deleteOwnRows,
  deleteSessions,
  emptyAccount,
  emptySessions,
  SESSION_ROWS,
  scrubEntries,
} from './purge-sql';
import { scrubAudit } from './scrub-audit';

/** How long the audit log of one person is scrubbed before that of the next. */
const TURN_MS = 10_000;

/** A person whose account is being erased. */
export interface ErasedAccount {
  userId: string;
  /** The folded address that the account had. */
  email: string;
}

/** Details hold only ids and field names by rule; these fields are removed in case an entry breaks it. */
const IDENTIFYING_DETAILS = ['email', 'name', 'ipAddress', 'userAgent', 'clientName', 'device', 'providerName'];

/**
 * Removes the data that identifies the person from the account and from related rows, in the transaction that erases the
 * account. The sessions must already be closed and the organizations handled. The audit log of a person may be large, so
 * `sweepErasedAccounts` scrubs it.
 */
export async function anonymizeAccount(tx: Sql, { userId, email }: ErasedAccount): Promise<void> {
  await emptyAccount.run(tx, { user: userId });
  await emptySessions.run(tx, { user: userId });
  for (const deletion of deleteOwnRows) await deletion.run(tx, { users: [userId] });
  await deleteMails.run(tx, { user: userId });
  await revokeInvitationsTo(tx, email);
  // Rate limits stay: they contain no address, end within a day, and an erasure must not reset them.
}

/** Audited as the system's doing: those who invited the address must not learn whose account it was. */
async function revokeInvitationsTo(tx: Sql, email: string): Promise<void> {
  const rows = await deleteInvitationsTo.all(tx, { email });
  await withdrawMails.run(tx, { mails: rows.map(({ id }) => id) });
  const entries = rows
    .filter(({ is_pending }) => is_pending)
    .map(({ id, organization_id, role }) => ({
      organizationId: organization_id,
      targetId: id,
      details: { role, cause: 'account.deleted' },
    }));
  await recordAudits(tx, { type: 'system' }, 'invitation.revoked', entries);
}

/**
 * Deletes the closed sessions of erased people, and rows that were written by requests which had been authorized before the erasure.
 * Removes IP addresses and identifying details from their audit entries; actions, targets and times stay. Mails that were queued after
 * the erasure are about it and are kept until they are sent. Sessions come last: nothing in them identifies a person, and they may have
 * millions of refresh tokens.
 *
 * @returns the ids of those who were swept completely
 */
export async function sweepErasedAccounts(users: readonly string[], pace: PurgePace): Promise<string[]> {
  await retryLockedTransaction(async (tx) => {
    await lockCopiedTables(tx);
    for (const deletion of [...deleteOwnRows, deleteEarlierMails]) await deletion.run(tx, { users });
  });
  const swept: string[] = [];
  for (const user of users) {
    const scrub = (tx: Sql, above: string) => scrubEntries.first(tx, { user, above, details: IDENTIFYING_DETAILS });
    const endsAt = Math.min(pace.endsAt, performance.now() + TURN_MS);
    if (await scrubAudit(user, scrub, { ...pace, endsAt })) swept.push(user);
  }
  for (const deletion of deleteSessions) {
    for (let deleted = SESSION_ROWS; deleted === SESSION_ROWS; ) {
      if (pace.signal?.aborted === true) return [];
      deleted = await retryLockedTransaction(async (tx) => {
        await lockCopiedTables(tx);
        return deletion.run(tx, { users });
      });
    }
  }
  return swept;
}
