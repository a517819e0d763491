import { recordAuditSql } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';

/** A person whose account is being erased. */
export interface ErasedPerson {
  userId: string;
  /** Folded, as it was. */
  email: string;
}

/*
 * No address has a colon and no @: nobody can register this one, sign in with it, or be written to by it. The row stays
 * because audit entries, keys and invitations name its id.
 */
const EMPTY_ACCOUNT_SQL = `
  UPDATE users SET email = 'erased:' || id, name = NULL, password_hash = NULL, password_confirmed = true,
    email_verified_at = NULL, last_organization_id = NULL, erased_at = now(), updated_at = now()
  WHERE id = $1`;

/*
 * Emptied here and deleted after the commit: a refresh locks its token before its session, and deleting a session locks
 * them the other way round.
 */
const EMPTY_SESSIONS_SQL =
  'UPDATE sessions SET ip_address = NULL, user_agent = NULL, client_name = NULL WHERE user_id = $1';

/** Ways in, links, codes and invitations, by the person's id. */
const OWN_ROWS_SQL = [
  'DELETE FROM identities WHERE user_id = $1',
  'DELETE FROM user_tokens WHERE user_id = $1',
  'DELETE FROM device_codes WHERE user_id = $1',
  'DELETE FROM invitations WHERE invited_by_id = $1',
  'DELETE FROM memberships WHERE user_id = $1',
];

/** Details hold ids and names of fields by rule; should one ever have held more, it leaves here. */
const IDENTIFYING_DETAILS = ['email', 'name', 'ipAddress', 'userAgent', 'clientName', 'device', 'providerName'];

/**
 * Takes everything from an account and around it that says whose it was, in the transaction that erases it. Its sessions
 * must be closed already; its organizations are judged elsewhere.
 */
export async function forgetPerson(tx: Sql, { userId, email }: ErasedPerson): Promise<void> {
  await tx.query(EMPTY_ACCOUNT_SQL, [userId]);
  await tx.query(EMPTY_SESSIONS_SQL, [userId]);
  for (const statement of OWN_ROWS_SQL) await tx.query(statement, [userId]);
  await tx.query(`DELETE FROM outbox WHERE kind = 'MAIL' AND user_id = $1`, [userId]);
  await deleteInvitationsTo(tx, email);
  // Counters of tries stay: they show no address, are over within a day, and would else begin anew with each erasure.
  await scrubAudit(tx, userId);
}

/** By nobody, as the log tells it: whose account an address had is not for those to learn who invited it. */
async function deleteInvitationsTo(tx: Sql, email: string): Promise<void> {
  const { rows } = await tx.query<{ id: string; organization_id: string; role: string; is_pending: boolean }>(
    `DELETE FROM invitations WHERE email = $1
     RETURNING id, organization_id, role, accepted_at IS NULL AND expires_at > now() AS is_pending`,
    [email],
  );
  for (const { id, organization_id, role } of rows.filter(({ is_pending }) => is_pending)) {
    await recordAuditSql(
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
 * Removes what requests under way during the erasure have left behind: they had been let in before it. And the closed
 * sessions. Mails written since then are about the erasure, and leave by being sent; dead ones leave here.
 */
export async function sweepErasedPerson(tx: Sql, userId: string): Promise<void> {
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

/** Takes the IP addresses out of what the audit log tells of a person's doings; what was done, when and to what stays. */
async function scrubAudit(tx: Sql, userId: string): Promise<void> {
  await tx.query(`SET LOCAL event_delivery.scrubbing = 'on'`);
  await tx.query(
    `UPDATE audit_log SET ip_address = NULL, details = details - $2::text[]
     WHERE actor_id = $1 AND (ip_address IS NOT NULL OR details ?| $2::text[])`,
    [userId, IDENTIFYING_DETAILS],
  );
  await tx.query(`SET LOCAL event_delivery.scrubbing = 'off'`);
}
