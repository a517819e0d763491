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
  await tx.query(
    `UPDATE user_tokens SET used_at = now() WHERE user_id = $1 AND purpose = $2::"UserTokenPurpose" AND used_at IS NULL`,
    [userId, purpose],
  );
  await tx.query(
    `INSERT INTO user_tokens (id, user_id, purpose, token_hash, expires_at)
     VALUES ($1, $2, $3::"UserTokenPurpose", $4, now() + make_interval(secs => $5))`,
    [newId(), userId, purpose, sha256(token), lifetimeSeconds],
  );
  return token;
}

/**
 * Uses a token up and gives the id of its user. One guarded statement: of two at once one succeeds. The user's row is
 * locked first, as it is when a token is issued: in the other order the two could wait for each other for ever.
 * @throws AppError invalid_token when it is unknown, used, superseded or expired
 */
export async function useUserToken(tx: Sql, token: string, purpose: UserTokenPurpose): Promise<string> {
  const tokenHash = sha256(token);
  await tx.query(
    `SELECT 1 FROM users u JOIN user_tokens t ON t.user_id = u.id WHERE t.token_hash = $1 FOR NO KEY UPDATE OF u`,
    [tokenHash],
  );
  const { rows } = await tx.query<{ user_id: string }>(
    `UPDATE user_tokens SET used_at = now()
     WHERE token_hash = $1 AND purpose = $2::"UserTokenPurpose" AND used_at IS NULL AND expires_at > now()
     RETURNING user_id`,
    [tokenHash, purpose],
  );
  const userId = rows[0]?.user_id;
  if (userId === undefined) {
    throw new AppError('invalid_token', 'This link is not valid any more: it was used, replaced, or has expired.');
  }
  return userId;
}
