import type { AnonymousCaller } from '@/lib/audit/caller';
import type { Clock } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { isAppError } from '@/lib/platform/errors';
import { refresh } from './refresh';
import { findEndOfToken } from './refresh-sql';
import type { RestoredSession } from './schema';
import type { IssuedRefreshToken } from './sessions';

/** The session of a browser, with its next refresh token; `refresh` is null without a session. */
interface Restored {
  response: RestoredSession;
  refresh: IssuedRefreshToken | null;
}

/**
 * Refreshes the session of a browser. A token without an open session is not an error: it returns why the session ended.
 * @param token of the browser's cookie; null without one
 * @throws AppError refresh_superseded, as refresh does
 */
export async function restore(caller: AnonymousCaller, token: string | null, clock: Clock): Promise<Restored> {
  if (token === null) return { response: { session: null, ended: null }, refresh: null };
  try {
    const { response, refresh: next } = await refresh(caller, token, clock);
    return { response: { session: response, ended: null }, refresh: next };
  } catch (error) {
    if (!isAppError(error) || error.code !== 'invalid_refresh_token') throw error;
    const end = await findEndOfToken.first(database(), sha256(token));
    return { response: { session: null, ended: end?.is_closed ? 'closed' : 'expired' }, refresh: null };
  }
}
