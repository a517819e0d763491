import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import type { UserTokenPurpose } from '@/lib/platform/prisma/generated/enums';

/**
 * Makes the token of a link that goes out by mail, good once and for `lifetimeSeconds`; earlier links of the same
 * purpose end. Only its hash is stored. The user's row is locked, so that of two at once one link remains.
 */
export async function issueUserToken(
  tx: Sql,
  userId: string,
  purpose: UserTokenPurpose,
  lifetimeSeconds: number,
): Promise<string> {
  const token = randomToken();
  await tx.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  await endUserTokens(tx, userId, [purpose]);
  await tx.query(
    `INSERT INTO user_tokens (id, user_id, purpose, token_hash, expires_at)
     VALUES ($1, $2, $3::"UserTokenPurpose", $4, now() + make_interval(secs => $5))`,
    [newId(), userId, purpose, sha256(token), lifetimeSeconds],
  );
  return token;
}

/** A token that was good, and whose it is. */
export interface GoodUserToken {
  userId: string;
  purpose: UserTokenPurpose;
  /** Where its link was mailed to. */
  email: string;
}

/** SQL for what makes a token `t` of a user `u` good. */
const IS_GOOD_SQL =
  't.purpose = ANY($2::"UserTokenPurpose"[]) AND t.used_at IS NULL AND t.expires_at > now() AND u.erased_at IS NULL';

/**
 * Looks at a token without using it up: what it says can be out of date the moment after.
 * @throws AppError invalid_token when it is unknown, used, superseded or expired, or its account is erased
 */
export async function readUserToken(
  sql: Sql,
  token: string,
  purposes: readonly UserTokenPurpose[],
): Promise<GoodUserToken> {
  const { rows } = await sql.query<{ user_id: string; purpose: UserTokenPurpose; email: string }>(
    `SELECT t.user_id, t.purpose, u.email FROM user_tokens t JOIN users u ON u.id = t.user_id
     WHERE t.token_hash = $1 AND ${IS_GOOD_SQL}`,
    [sha256(token), purposes],
  );
  return toGoodToken(rows[0]);
}

/**
 * Uses a token up. One guarded statement: of two at once one succeeds. The user's row is locked first, as it is when a
 * token is issued: in the other order the two could wait for each other for ever.
 * @throws AppError invalid_token when it is unknown, used, superseded or expired, or its account is erased
 */
export async function useUserToken(
  tx: Sql,
  token: string,
  purposes: readonly UserTokenPurpose[],
): Promise<GoodUserToken> {
  const tokenHash = sha256(token);
  await tx.query(
    `SELECT 1 FROM users u JOIN user_tokens t ON t.user_id = u.id WHERE t.token_hash = $1 FOR NO KEY UPDATE OF u`,
    [tokenHash],
  );
  const { rows } = await tx.query<{ user_id: string; purpose: UserTokenPurpose; email: string }>(
    `UPDATE user_tokens t SET used_at = now() FROM users u
     WHERE t.token_hash = $1 AND u.id = t.user_id AND ${IS_GOOD_SQL}
     RETURNING t.user_id, t.purpose, u.email`,
    [tokenHash, purposes],
  );
  return toGoodToken(rows[0]);
}

/** Ends every open link of these purposes. Whoever calls holds the lock of the user's row, else a link may be issued meanwhile. */
export async function endUserTokens(tx: Sql, userId: string, purposes: readonly UserTokenPurpose[]): Promise<void> {
  await tx.query(
    `UPDATE user_tokens SET used_at = now()
     WHERE user_id = $1 AND purpose = ANY($2::"UserTokenPurpose"[]) AND used_at IS NULL`,
    [userId, purposes],
  );
}

function toGoodToken(row: { user_id: string; purpose: UserTokenPurpose; email: string } | undefined): GoodUserToken {
  if (row === undefined) {
    throw new AppError('invalid_token', 'This link is not valid any more: it was used, replaced, or has expired.');
  }
  return { userId: row.user_id, purpose: row.purpose, email: row.email };
}
