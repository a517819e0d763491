import type { UserTokenPurpose } from '@/lib/platform/prisma/generated/enums';
import { boolean, enumOf, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Stores an account unless its address has one. $1 id, $2 folded address, $3 name, $4 hash of the password. */
export const insertAccount = statement(
  `INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)
   ON CONFLICT (email) DO NOTHING RETURNING id`,
  { id: uuid },
);

/** Locks a live account until the commit. $1 user. */
export const lockLiveAccount = statement(
  'SELECT email FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
  { email: text },
);

/** Locks the row of a person until the commit, also when the account is erased. $1 user. */
export const lockUserRow = statement('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE');

/** Finds what a live person may see of themselves. $1 user. */
export const findProfile = statement(
  `SELECT u.id, u.email, u.name, u.email_verified_at, u.password_hash IS NOT NULL AS has_password, u.times_in_utc
   FROM users u WHERE u.id = $1 AND u.erased_at IS NULL`,
  {
    id: uuid,
    email: text,
    name: nullable(text),
    email_verified_at: nullable(timestamp),
    has_password: boolean,
    times_in_utc: boolean,
  },
);

/** Changes a live account. $1 user, $2 whether to change the name, $3 name or null, $4 times in UTC, null to keep. */
export const changeProfile = statement(
  `UPDATE users SET name = CASE WHEN $2::boolean THEN $3::text ELSE name END,
     times_in_utc = coalesce($4::boolean, times_in_utc), updated_at = now()
   WHERE id = $1 AND erased_at IS NULL`,
);

const UNVERIFIED_SQL = 'SELECT email FROM users WHERE id = $1 AND erased_at IS NULL AND email_verified_at IS NULL';

/** Finds the address of a live account while it is not verified. $1 user. */
export const findUnverifiedAddress = statement(UNVERIFIED_SQL, { email: text });

/** The same, and locks the account until the commit. $1 user. */
export const lockUnverifiedAddress = statement(`${UNVERIFIED_SQL} FOR NO KEY UPDATE`, { email: text });

/** Marks the address of a live account verified, unless it already is. $1 user. */
export const verifyAddress = statement(
  `UPDATE users SET email_verified_at = now(), updated_at = now()
   WHERE id = $1 AND erased_at IS NULL AND email_verified_at IS NULL`,
);

/** Confirms the password of a live account, unless it has none or it already is confirmed. $1 user. */
export const confirmCurrentPassword = statement(
  `UPDATE users SET password_confirmed = true, updated_at = now()
   WHERE id = $1 AND erased_at IS NULL AND password_hash IS NOT NULL AND NOT password_confirmed`,
);

/** SQL for whether token `t` of user `u` is valid. $2 the accepted purposes. */
const IS_VALID_SQL =
  't.purpose = ANY($2::"UserTokenPurpose"[]) AND t.used_at IS NULL AND t.expires_at > now() AND u.erased_at IS NULL';

const VALID_TOKEN = { user_id: uuid, purpose: enumOf<UserTokenPurpose>('UserTokenPurpose'), email: text };

/** Stores a token. $1 id, $2 user, $3 purpose, $4 hash, $5 lifetime in seconds. */
export const insertToken = statement(
  `INSERT INTO user_tokens (id, user_id, purpose, token_hash, expires_at)
   VALUES ($1, $2, $3::"UserTokenPurpose", $4, now() + make_interval(secs => $5))`,
);

/** Finds a valid token. $1 hash, $2 purposes. */
export const findToken = statement(
  `SELECT t.user_id, t.purpose, u.email FROM user_tokens t JOIN users u ON u.id = t.user_id
   WHERE t.token_hash = $1 AND ${IS_VALID_SQL}`,
  VALID_TOKEN,
);

/** Locks the row of the person that a token belongs to. $1 hash. */
export const lockTokenOwner = statement(
  'SELECT 1 FROM users u JOIN user_tokens t ON t.user_id = u.id WHERE t.token_hash = $1 FOR NO KEY UPDATE OF u',
);

/** Marks a valid token used. $1 hash, $2 purposes. */
export const useToken = statement(
  `UPDATE user_tokens t SET used_at = now() FROM users u
   WHERE t.token_hash = $1 AND u.id = t.user_id AND ${IS_VALID_SQL}
   RETURNING t.user_id, t.purpose, u.email`,
  VALID_TOKEN,
);

/** Marks every open token of a person used. $1 user, $2 purposes. */
export const endTokens = statement(
  `UPDATE user_tokens SET used_at = now()
   WHERE user_id = $1 AND purpose = ANY($2::"UserTokenPurpose"[]) AND used_at IS NULL`,
);
