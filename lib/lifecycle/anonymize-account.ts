import { recordAudit } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';

/** A person whose account is being erased. */
export interface ErasedAccount {
  userId: string;
  /** The folded address that the account had. */
  email: string;
}

/*
 * The placeholder has no @, so it is not a valid address: nobody can register it, sign in with it, or get mail at it.
 * The row stays because audit entries, keys and invitations refer to its id.
 */
const EMPTY_ACCOUNT_SQL = `
  UPDATE users SET email = 'erased:' || id, name = NULL, password_hash = NULL, password_confirmed = true,
    email_verified_at = NULL, last_organization_id = NULL, erased_at = now(), updated_at = now()
  WHERE id = $1`;

/*
 * Sessions are emptied here and deleted after the commit: a refresh locks its token before its session, and deleting a
 * session locks them in the opposite order, which could deadlock.
 */
const EMPTY_SESSIONS_SQL =
  'UPDATE sessions SET ip_address = NULL, user_agent = NULL, client_name = NULL WHERE user_id = $1';

/** Identities, links, device codes, invitations and memberships of the person. */
const OWN_ROWS_SQL = [
  'DELETE FROM identities WHERE user_id = $1',
  'DELETE FROM user_tokens WHERE user_id = $1',
  'DELETE FROM device_codes WHERE user_id = $1',
  'DELETE FROM invitations WHERE invited_by_id = $1',
  'DELETE FROM memberships WHERE user_id = $1',
];

/** Details hold only ids and field names by rule; these fields are removed in case an entry breaks it. */
const IDENTIFYING_DETAILS = ['email', 'name', 'ipAddress', 'userAgent', 'clientName', 'device', 'providerName'];

/**
 * Removes the data that identifies the person from the account and from related rows, in the transaction that erases the
 * account. The sessions must already be closed and the organizations handled.
 */
export async function anonymizeAccount(tx: Sql, { userId, email }: ErasedAccount): Promise<void> {
  await tx.query(EMPTY_ACCOUNT_SQL, [userId]);
  await tx.query(EMPTY_SESSIONS_SQL, [userId]);
  for (const statement of OWN_ROWS_SQL) await tx.query(statement, [userId]);
  await tx.query(`DELETE FROM outbox WHERE kind = 'MAIL' AND user_id = $1`, [userId]);
  await deleteInvitationsTo(tx, email);
  // Rate limits stay: they contain no address, end within a day, and an erasure must not reset them.
  await scrubAudit(tx, userId);
}

/** Audited as the system's doing: those who invited the address must not learn whose account it was. */
async function deleteInvitationsTo(tx: Sql, email: string): Promise<void> {
  const { rows } = await tx.query<{ id: string; organization_id: string; role: string; is_pending: boolean }>(
    `DELETE FROM invitations WHERE email = $1
     RETURNING id, organization_id, role, accepted_at IS NULL AND expires_at > now() AS is_pending`,
    [email],
  );
  for (const { id, organization_id, role } of rows.filter(({ is_pending }) => is_pending)) {
    await recordAudit(
      tx,
      { type: 'system' },
      {
        action: 'invitation.revoked',
        organizationId: organization_id,
        target: { type: 'invitation', id },
        details: { role, cause: 'account.deleted' },
      },
    );
  }
}

/**
 * Deletes the closed sessions, and rows that were written by requests which had been authorized before the erasure.
 * Mails that were queued after it are about the erasure and are kept until they are sent.
 */
export async function sweepErasedAccount(tx: Sql, userId: string): Promise<void> {
  await tx.query('DELETE FROM refresh_tokens WHERE session_id IN (SELECT id FROM sessions WHERE user_id = $1)', [
    userId,
  ]);
  await tx.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
  for (const statement of OWN_ROWS_SQL) await tx.query(statement, [userId]);
  await tx.query(
    `DELETE FROM outbox o USING users u WHERE o.kind = 'MAIL' AND o.user_id = $1 AND u.id = $1 AND o.created_at < u.erased_at`,
    [userId],
  );
  await scrubAudit(tx, userId);
}

/** Removes IP addresses and identifying details from the person's audit entries. Actions, targets and times stay. */
async function scrubAudit(tx: Sql, userId: string): Promise<void> {
  await tx.query(`SET LOCAL event_delivery.scrubbing = 'on'`);
  await tx.query(
    `UPDATE audit_log SET ip_address = NULL, details = details - $2::text[]
     WHERE actor_id = $1 AND (ip_address IS NOT NULL OR details ?| $2::text[])`,
    [userId, IDENTIFYING_DETAILS],
  );
  await tx.query(`SET LOCAL event_delivery.scrubbing = 'off'`);
}
