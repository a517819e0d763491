import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import type { UserTokenPurpose } from '@/lib/platform/prisma/generated/enums';

/**
 * Issues the token of a mailed link, valid once and for `lifetimeSeconds`, and ends earlier links of the same
 * purpose. Only its hash is stored. Locks the user's row, so that one of several links issued at once stays valid.
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

/** A valid token, and the person it belongs to. */
interface ValidUserToken {
  userId: string;
  purpose: UserTokenPurpose;
  /** The address its link was mailed to. */
  email: string;
}

/** SQL for whether token `t` of user `u` is valid. */
const IS_VALID_SQL =
  't.purpose = ANY($2::"UserTokenPurpose"[]) AND t.used_at IS NULL AND t.expires_at > now() AND u.erased_at IS NULL';

/**
 * Reads a token without consuming it: the result may be out of date a moment later.
 * @throws AppError invalid_token when it is unknown, used, superseded or expired, or its account is erased
 */
export async function readUserToken(
  sql: Sql,
  token: string,
  purposes: readonly UserTokenPurpose[],
): Promise<ValidUserToken> {
  const { rows } = await sql.query<{ user_id: string; purpose: UserTokenPurpose; email: string }>(
    `SELECT t.user_id, t.purpose, u.email FROM user_tokens t JOIN users u ON u.id = t.user_id
     WHERE t.token_hash = $1 AND ${IS_VALID_SQL}`,
    [sha256(token), purposes],
  );
  return toGoodToken(rows[0]);
}

/**
 * Consumes a token with one guarded statement: of two uses at once, one succeeds. Locks the user's row first, as
 * issuing does: the reverse order could deadlock.
 * @throws AppError invalid_token when it is unknown, used, superseded or expired, or its account is erased
 */
export async function consumeUserToken(
  tx: Sql,
  token: string,
  purposes: readonly UserTokenPurpose[],
): Promise<ValidUserToken> {
  const tokenHash = sha256(token);
  await tx.query(
    `SELECT 1 FROM users u JOIN user_tokens t ON t.user_id = u.id WHERE t.token_hash = $1 FOR NO KEY UPDATE OF u`,
    [tokenHash],
  );
  const { rows } = await tx.query<{ user_id: string; purpose: UserTokenPurpose; email: string }>(
    `UPDATE user_tokens t SET used_at = now() FROM users u
     WHERE t.token_hash = $1 AND u.id = t.user_id AND ${IS_VALID_SQL}
     RETURNING t.user_id, t.purpose, u.email`,
    [tokenHash, purposes],
  );
  return toGoodToken(rows[0]);
}

/**
 * Ends every open link of these purposes. The caller must hold the lock on the user's row, or a link may be issued
 * meanwhile.
 */
export async function endUserTokens(tx: Sql, userId: string, purposes: readonly UserTokenPurpose[]): Promise<void> {
  await tx.query(
    `UPDATE user_tokens SET used_at = now()
     WHERE user_id = $1 AND purpose = ANY($2::"UserTokenPurpose"[]) AND used_at IS NULL`,
    [userId, purposes],
  );
}

function toGoodToken(row: { user_id: string; purpose: UserTokenPurpose; email: string } | undefined): ValidUserToken {
  if (row === undefined) {
    throw new AppError('invalid_token', 'This link is no longer valid: it was used or replaced, or has expired.');
  }
  return { userId: row.user_id, purpose: row.purpose, email: row.email };
}
