import { recordAudit } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import {
  allowScrubbing,
  deleteEarlierMails,
  deleteInvitationsTo,
  deleteMails,
  deleteOwnRows,
  deleteSessions,
  emptyAccount,
  emptySessions,
  refuseScrubbing,
  scrubEntries,
} from './purge-sql';

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
 * account. The sessions must already be closed and the organizations handled.
 */
export async function anonymizeAccount(tx: Sql, { userId, email }: ErasedAccount): Promise<void> {
  await emptyAccount.run(tx, { user: userId });
  await emptySessions.run(tx, { user: userId });
  for (const deletion of deleteOwnRows) await deletion.run(tx, { user: userId });
  await deleteMails.run(tx, { user: userId });
  await revokeInvitationsTo(tx, email);
  // Rate limits stay: they contain no address, end within a day, and an erasure must not reset them.
  await scrubAudit(tx, userId);
}

/** Audited as the system's doing: those who invited the address must not learn whose account it was. */
async function revokeInvitationsTo(tx: Sql, email: string): Promise<void> {
  const rows = await deleteInvitationsTo.all(tx, { email });
  for (const { id, organization_id, role } of rows.filter(({ is_pending }) => is_pending)) {
    await recordAudit(tx, { type: 'system' }, 'invitation.revoked', {
      organizationId: organization_id,
      targetId: id,
      details: { role, cause: 'account.deleted' },
    });
  }
}

/**
 * Deletes the closed sessions, and rows that were written by requests which had been authorized before the erasure.
 * Mails that were queued after it are about the erasure and are kept until they are sent.
 */
export async function sweepErasedAccount(tx: Sql, userId: string): Promise<void> {
  await lockCopiedTables(tx);
  for (const deletion of [...deleteSessions, ...deleteOwnRows]) await deletion.run(tx, { user: userId });
  await deleteEarlierMails.run(tx, { user: userId });
  await scrubAudit(tx, userId);
}

/** Removes IP addresses and identifying details from the person's audit entries. Actions, targets and times stay. */
async function scrubAudit(tx: Sql, userId: string): Promise<void> {
  await allowScrubbing.run(tx);
  await scrubEntries.run(tx, { user: userId, details: IDENTIFYING_DETAILS });
  await refuseScrubbing.run(tx);
}
