import type { AnonymousCaller } from '@/lib/audit/caller';
import type { Clock } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { isAppError } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { verifyAccessToken } from './access-token';
import { findSessionOfToken } from './refresh-sql';
import { closeSession, type SessionRef } from './sessions';

/** The credentials of the session to close; either is enough. */
interface SessionCredentials {
  bearer: string | null;
  refreshToken: string | null;
}

/**
 * Closes the session that the credentials name; its access and refresh tokens are invalid at once. Ignores a
 * credential that is already invalid.
 */
export async function logout(caller: AnonymousCaller, credentials: SessionCredentials, clock: Clock): Promise<void> {
  const named = await Promise.all([
    sessionOfBearer(credentials.bearer, clock),
    sessionOfRefresh(credentials.refreshToken),
  ]);
  // One transaction each: two requests that close the same two sessions in different order would deadlock.
  for (const session of named) {
    if (session === null) continue;
    const actor = { type: 'user', userId: session.userId, ipAddress: caller.client.ipAddress } as const;
    await inTransaction((tx) => closeSession(tx, session, actor));
  }
}

async function sessionOfBearer(bearer: string | null, clock: Clock): Promise<SessionRef | null> {
  if (bearer === null) return null;
  try {
    const claims = await verifyAccessToken(bearer, clock);
    return { sessionId: claims.sid, userId: claims.sub };
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** Accepts spent tokens too: all they allow is closing the session. */
async function sessionOfRefresh(token: string | null): Promise<SessionRef | null> {
  if (token === null) return null;
  const row = await findSessionOfToken.first(database(), sha256(token));
  return row === undefined ? null : { sessionId: row.session_id, userId: row.user_id };
}
