import { boolean, nullable, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Locks the live account of a provider account as a password sign-in does: a concurrent erasure is either seen here, or
 * sees the session and closes it.
 */
export const lockAccountOfIdentity = statement(
  `SELECT u.id, u.last_organization_id FROM identities i JOIN users u ON u.id = i.user_id AND u.erased_at IS NULL
   WHERE i.issuer = $issuer AND i.subject = $subject FOR SHARE OF u`,
  { params: { issuer: text, subject: text }, columns: { id: uuid, last_organization_id: nullable(uuid) } },
);

/**
 * Locks the live account of a folded address until the commit: a concurrent password sign-in either commits before and is
 * closed here, or sees the result.
 */
export const lockAccountToLink = statement(
  `SELECT id, last_organization_id, email_verified_at IS NOT NULL AS is_verified, password_hash IS NOT NULL AS has_password
   FROM users WHERE email = $email AND erased_at IS NULL FOR NO KEY UPDATE`,
  {
    params: { email: text },
    columns: { id: uuid, last_organization_id: nullable(uuid), is_verified: boolean, has_password: boolean },
  },
);

/** Marks a password, if there is one, as not confirmed. */
export const unconfirmPassword = statement(
  'UPDATE users SET password_confirmed = (password_hash IS NULL) WHERE id = $user',
  { params: { user: uuid } },
);

/** Marks the address of a new account verified. */
export const verifyNewAddress = statement('UPDATE users SET email_verified_at = now() WHERE id = $user', {
  params: { user: uuid },
});
