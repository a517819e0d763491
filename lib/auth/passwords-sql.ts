import { boolean, nullable, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Locks a live account while its password is the checked one. $1 user, $2 hash that was checked. */
export const lockSignInAccount = statement(
  `SELECT last_organization_id, password_confirmed FROM users
   WHERE id = $1 AND password_hash = $2 AND erased_at IS NULL FOR SHARE`,
  { last_organization_id: nullable(uuid), password_confirmed: boolean },
);

/** Locks an account while its password is the checked one and not confirmed. $1 user, $2 hash that was checked. */
export const lockUnconfirmedAccount = statement(
  'SELECT 1 FROM users WHERE id = $1 AND password_hash = $2 AND NOT password_confirmed FOR NO KEY UPDATE',
);

/** Locks the live account of an address. $1 folded address. */
export const lockAccountOfAddress = statement(
  `SELECT id, password_hash IS NOT NULL AS has_password FROM users
   WHERE email = $1 AND erased_at IS NULL FOR NO KEY UPDATE`,
  { id: uuid, has_password: boolean },
);

/** Replaces the hash of the same password, unless it was replaced meanwhile. $1 user, $2 old hash, $3 new hash. */
export const replaceHash = statement('UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2');

/** Replaces a password, unless it was replaced meanwhile. $1 user, $2 hash that was checked, $3 new hash. */
export const changeCheckedPassword = statement(
  `UPDATE users SET password_hash = $3, password_confirmed = true, updated_at = now()
   WHERE id = $1 AND password_hash = $2`,
);

/** Sets a password and returns whether the account had none before. $1 user, $2 hash. */
export const setPassword = statement(
  `UPDATE users u SET password_hash = $2, password_confirmed = true, updated_at = now()
   FROM users before WHERE u.id = $1 AND before.id = u.id
   RETURNING before.password_hash IS NULL AS is_first`,
  { is_first: boolean },
);
