import type { UserTokenPurpose } from '@/lib/platform/prisma/generated/enums';
import { boolean, bytes, enumOf, enumsOf, float, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const purpose = enumOf<UserTokenPurpose>('UserTokenPurpose');
const purposes = enumsOf<UserTokenPurpose>('UserTokenPurpose');

/** Stores an account unless its folded address has one. */
export const insertAccount = statement(
  `INSERT INTO users (id, email, name, password_hash) VALUES ($id, $email, $name, $passwordHash)
   ON CONFLICT (email) DO NOTHING RETURNING id`,
  { params: { id: uuid, email: text, name: nullable(text), passwordHash: nullable(text) }, columns: { id: uuid } },
);

/** Locks a live account until the commit. */
export const lockLiveAccount = statement(
  'SELECT email FROM users WHERE id = $user AND erased_at IS NULL FOR NO KEY UPDATE',
  { params: { user: uuid }, columns: { email: text } },
);

/** Locks the row of a person until the commit, also when the account is erased. */
export const lockUserRow = statement('SELECT 1 FROM users WHERE id = $user FOR NO KEY UPDATE', {
  params: { user: uuid },
});

/** Finds what a live person may see of themselves. */
export const findProfile = statement(
  `SELECT u.id, u.email, u.name, u.email_verified_at, u.password_hash IS NOT NULL AS has_password, u.times_in_utc
   FROM users u WHERE u.id = $user AND u.erased_at IS NULL`,
  {
    params: { user: uuid },
    columns: {
      id: uuid,
      email: text,
      name: nullable(text),
      email_verified_at: nullable(timestamp),
      has_password: boolean,
      times_in_utc: boolean,
    },
  },
);

/** Changes a live account. Sets the name only if `changesName`, also to null; a null `timesInUtc` keeps it. */
export const changeProfile = statement(
  `UPDATE users SET name = CASE WHEN $changesName::boolean THEN $name::text ELSE name END,
     times_in_utc = coalesce($timesInUtc::boolean, times_in_utc), updated_at = now()
   WHERE id = $user AND erased_at IS NULL`,
  { params: { changesName: boolean, name: nullable(text), timesInUtc: nullable(boolean), user: uuid } },
);

const UNVERIFIED_SQL = 'SELECT email FROM users WHERE id = $user AND erased_at IS NULL AND email_verified_at IS NULL';

/** Finds the address of a live account while it is not verified. */
export const findUnverifiedAddress = statement(UNVERIFIED_SQL, { params: { user: uuid }, columns: { email: text } });

/** The same, and locks the account until the commit. */
export const lockUnverifiedAddress = statement(`${UNVERIFIED_SQL} FOR NO KEY UPDATE`, {
  params: { user: uuid },
  columns: { email: text },
});

/** Marks the address of a live account verified, unless it already is. */
export const verifyAddress = statement(
  `UPDATE users SET email_verified_at = now(), updated_at = now()
   WHERE id = $user AND erased_at IS NULL AND email_verified_at IS NULL`,
  { params: { user: uuid } },
);

/** Confirms the password of a live account, unless it has none or it already is confirmed. */
export const confirmCurrentPassword = statement(
  `UPDATE users SET password_confirmed = true, updated_at = now()
   WHERE id = $user AND erased_at IS NULL AND password_hash IS NOT NULL AND NOT password_confirmed`,
  { params: { user: uuid } },
);

/** SQL for whether token `t` of user `u` is valid for one of the accepted purposes. */
const IS_VALID_SQL =
  't.purpose = ANY($purposes::"UserTokenPurpose"[]) AND t.used_at IS NULL AND t.expires_at > now() AND u.erased_at IS NULL';

const VALID_TOKEN = { user_id: uuid, purpose, email: text };

export const insertToken = statement(
  `INSERT INTO user_tokens (id, user_id, purpose, token_hash, expires_at)
   VALUES ($id, $user, $purpose::"UserTokenPurpose", $tokenHash, now() + make_interval(secs => $lifetimeSeconds))`,
  { params: { id: uuid, user: uuid, purpose, tokenHash: bytes, lifetimeSeconds: float } },
);

/** Finds a valid token. */
export const findToken = statement(
  `SELECT t.user_id, t.purpose, u.email FROM user_tokens t JOIN users u ON u.id = t.user_id
   WHERE t.token_hash = $tokenHash AND ${IS_VALID_SQL}`,
  { params: { tokenHash: bytes, purposes }, columns: VALID_TOKEN },
);

/** Locks the row of the person that a token belongs to. */
export const lockTokenOwner = statement(
  'SELECT 1 FROM users u JOIN user_tokens t ON t.user_id = u.id WHERE t.token_hash = $tokenHash FOR NO KEY UPDATE OF u',
  { params: { tokenHash: bytes } },
);

/** Marks a valid token used. */
export const useToken = statement(
  `UPDATE user_tokens t SET used_at = now() FROM users u
   WHERE t.token_hash = $tokenHash AND u.id = t.user_id AND ${IS_VALID_SQL}
   RETURNING t.user_id, t.purpose, u.email`,
  { params: { tokenHash: bytes, purposes }, columns: VALID_TOKEN },
);

/** Marks every open token of a person for these purposes used. */
export const endTokens = statement(
  `UPDATE user_tokens SET used_at = now()
   WHERE user_id = $user AND purpose = ANY($purposes::"UserTokenPurpose"[]) AND used_at IS NULL`,
  { params: { user: uuid, purposes } },
);

export const findAnyAccount = statement('SELECT 1 FROM users WHERE erased_at IS NULL LIMIT 1');

/** Lets the transactions that may create the first account wait for each other. */
export const lockFirstAccount = statement(
  `SELECT pg_advisory_xact_lock(hashtextextended('first-account', 0))::text AS locked`,
  {
    columns: { locked: text },
  },
);
