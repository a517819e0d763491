import { boolean, nullable, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Locks a live account while its password is the checked one. */
export const lockSignInAccount = statement(
  `SELECT last_organization_id, password_confirmed FROM users
   WHERE id = $user AND password_hash = $checkedHash AND erased_at IS NULL FOR SHARE`,
  {
    params: { user: uuid, checkedHash: text },
    columns: { last_organization_id: nullable(uuid), password_confirmed: boolean },
  },
);

/** Locks an account while its password is the checked one and not confirmed. */
export const lockUnconfirmedAccount = statement(
  'SELECT 1 FROM users WHERE id = $user AND password_hash = $checkedHash AND NOT password_confirmed FOR NO KEY UPDATE',
  { params: { user: uuid, checkedHash: text } },
);

/** Locks the live account of a folded address. */
export const lockAccountOfAddress = statement(
  `SELECT id, password_hash IS NOT NULL AS has_password FROM users
   WHERE email = $email AND erased_at IS NULL FOR NO KEY UPDATE`,
  { params: { email: text }, columns: { id: uuid, has_password: boolean } },
);

/** Replaces the hash of the same password, unless it was replaced meanwhile. */
export const replaceHash = statement(
  'UPDATE users SET password_hash = $newHash WHERE id = $user AND password_hash = $oldHash',
  { params: { newHash: text, user: uuid, oldHash: text } },
);

/** Replaces a password, unless it was replaced meanwhile. */
export const changeCheckedPassword = statement(
  `UPDATE users SET password_hash = $newHash, password_confirmed = true, updated_at = now()
   WHERE id = $user AND password_hash = $checkedHash`,
  { params: { newHash: text, user: uuid, checkedHash: text } },
);

/** Sets a password and returns whether the account had none before. */
export const setPassword = statement(
  `UPDATE users u SET password_hash = $hash, password_confirmed = true, updated_at = now()
   FROM users before WHERE u.id = $user AND before.id = u.id
   RETURNING before.password_hash IS NULL AS is_first`,
  { params: { hash: text, user: uuid }, columns: { is_first: boolean } },
);
