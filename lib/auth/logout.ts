import type { AnonymousCaller } from '@/lib/audit/caller';
import type { Clock } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { database, inTransaction } from '@/lib/platform/db';
import { isAppError } from '@/lib/platform/errors';
import { verifyAccessToken } from './access-token';
import { closeSession, type NamedSession } from './sessions';

/** The credentials of the session that is to end; either is enough. */
export interface SessionCredentials {
  bearer: string | null;
  refreshToken: string | null;
}

/**
 * Ends the session that the credentials name: its access and refresh tokens are dead at once (spec 5.2.6). A credential
 * that is dead already has nothing left to end.
 */
export async function logout(caller: AnonymousCaller, credentials: SessionCredentials, clock: Clock): Promise<void> {
  const named = await Promise.all([
    sessionOfBearer(credentials.bearer, clock),
    sessionOfRefresh(credentials.refreshToken),
  ]);
  // Each in a transaction of its own: two who end the same two sessions in either order must not wait for each other.
  for (const session of named) {
    if (session === null) continue;
    const actor = { type: 'user', userId: session.userId, ipAddress: caller.origin.ipAddress } as const;
    await inTransaction((tx) => closeSession(tx, session, actor));
  }
}

async function sessionOfBearer(bearer: string | null, clock: Clock): Promise<NamedSession | null> {
  if (bearer === null) return null;
  try {
    const claims = await verifyAccessToken(bearer, clock);
    return { sessionId: claims.sid, userId: claims.sub };
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** Spent tokens count too: whoever holds one may at most end the session. */
async function sessionOfRefresh(token: string | null): Promise<NamedSession | null> {
  if (token === null) return null;
  const { rows } = await database().query<{ session_id: string; user_id: string }>(
    `SELECT r.session_id, s.user_id FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE r.token_hash = $1`,
    [sha256(token)],
  );
  const row = rows[0];
  return row === undefined ? null : { sessionId: row.session_id, userId: row.user_id };
}
