import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import type { UserTokenPurpose } from '@/lib/platform/prisma/generated/enums';
import type { RowOf } from '@/lib/platform/sql/statement';
import { endTokens, findToken, insertToken, lockTokenOwner, lockUserRow, useToken } from './accounts-sql';

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
  await lockUserRow.run(tx, { user: userId });
  await endUserTokens(tx, userId, [purpose]);
  await insertToken.run(tx, { id: newId(), user: userId, purpose, tokenHash: sha256(token), lifetimeSeconds });
  return token;
}

/** A valid token, and the person it belongs to. */
interface ValidUserToken {
  userId: string;
  purpose: UserTokenPurpose;
  /** The address its link was mailed to. */
  email: string;
}

/**
 * Reads a token without consuming it: the result may be out of date a moment later.
 * @throws AppError invalid_token when it is unknown, used, superseded or expired, or its account is erased
 */
export async function readUserToken(
  sql: Sql,
  token: string,
  purposes: readonly UserTokenPurpose[],
): Promise<ValidUserToken> {
  return toGoodToken(await findToken.first(sql, { tokenHash: sha256(token), purposes }));
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
  await lockTokenOwner.run(tx, { tokenHash });
  return toGoodToken(await useToken.first(tx, { tokenHash, purposes }));
}

/**
 * Ends every open link of these purposes. The caller must hold the lock on the user's row, or a link may be issued
 * meanwhile.
 */
export async function endUserTokens(tx: Sql, userId: string, purposes: readonly UserTokenPurpose[]): Promise<void> {
  await endTokens.run(tx, { user: userId, purposes });
}

function toGoodToken(row: RowOf<typeof findToken.columns> | undefined): ValidUserToken {
  if (row === undefined) {
    throw new AppError('invalid_token', 'This link is no longer valid. It was used, replaced, or has expired.');
  }
  return { userId: row.user_id, purpose: row.purpose, email: row.email };
}
