import type { Role } from '@/lib/audit/types';
import { boolean, enumOf, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Empties the account $1. The placeholder has no @, so it is not a valid address: nobody can register it, sign in with it,
 * or get mail at it. The row stays because audit entries, keys and invitations refer to its id.
 */
export const emptyAccount = statement(`
  UPDATE users SET email = 'erased:' || id, name = NULL, password_hash = NULL, password_confirmed = true,
    email_verified_at = NULL, last_organization_id = NULL, erased_at = now(), updated_at = now()
  WHERE id = $1`);

/**
 * Empties the sessions of person $1. They are deleted after the commit: a refresh locks its token before its session, and
 * deleting a session locks them in the opposite order, which could deadlock.
 */
export const emptySessions = statement(
  'UPDATE sessions SET ip_address = NULL, user_agent = NULL, client_name = NULL WHERE user_id = $1',
);

/** Delete identities, links, device codes, invitations and memberships of person $1. */
export const deleteOwnRows = [
  statement('DELETE FROM identities WHERE user_id = $1'),
  statement('DELETE FROM user_tokens WHERE user_id = $1'),
  statement('DELETE FROM device_codes WHERE user_id = $1'),
  statement('DELETE FROM invitations WHERE invited_by_id = $1'),
  statement('DELETE FROM memberships WHERE user_id = $1'),
];

export const deleteMails = statement(`DELETE FROM outbox WHERE kind = 'MAIL' AND user_id = $1`);

/** Deletes the mails to person $1 that were queued before the erasure. */
export const deleteEarlierMails = statement(
  `DELETE FROM outbox o USING users u WHERE o.kind = 'MAIL' AND o.user_id = $1 AND u.id = $1 AND o.created_at < u.erased_at`,
);

/** Deletes the invitations to address $1. */
export const deleteInvitationsTo = statement(
  `DELETE FROM invitations WHERE email = $1
   RETURNING id, organization_id, role, accepted_at IS NULL AND expires_at > now() AS is_pending`,
  { id: uuid, organization_id: uuid, role: enumOf<Role>('Role'), is_pending: boolean },
);

/** Delete the sessions of person $1, their tokens first. */
export const deleteSessions = [
  statement('DELETE FROM refresh_tokens WHERE session_id IN (SELECT id FROM sessions WHERE user_id = $1)'),
  statement('DELETE FROM sessions WHERE user_id = $1'),
];

/** Let this transaction change entries of the audit log, which a trigger refuses otherwise. */
export const allowScrubbing = statement(`SET LOCAL event_delivery.scrubbing = 'on'`);
export const refuseScrubbing = statement(`SET LOCAL event_delivery.scrubbing = 'off'`);

/** Removes the IP address and the details $2 from the entries of person $1. */
export const scrubEntries = statement(
  `UPDATE audit_log SET ip_address = NULL, details = details - $2::text[]
   WHERE actor_id = $1 AND (ip_address IS NOT NULL OR details ?| $2::text[])`,
);
