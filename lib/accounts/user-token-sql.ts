import type { UserTokenPurpose } from '@/lib/platform/prisma/generated/enums';
import { enumOf, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

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
