import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { toStorable } from '@/lib/platform/text';

/** A session ends this long after its sign-in, however often it is refreshed. */
const SESSION_LIFETIME_DAYS = 30;

/** A refresh token in plain text. Only its hash is stored. */
export interface IssuedRefreshToken {
  token: string;
  /** Whole seconds until it or its session ends, whichever is sooner. */
  maxAgeSeconds: number;
}

interface NewSession {
  userId: string;
  organizationId: string | null;
  method: SessionMethod;
  client: ClientInfo;
  /** What a client called itself when it asked for a device code. */
  clientName?: string | null;
}

/** Stores the session of a sign-in with its first refresh token. */
export async function openSession(
  tx: Sql,
  session: NewSession,
): Promise<{ sessionId: string; refresh: IssuedRefreshToken }> {
  const { userId, organizationId, method, client, clientName = null } = session;
  const [sessionId, token] = [newId(), randomToken()];
  await tx.query(
    `INSERT INTO sessions (id, user_id, organization_id, method, ip_address, user_agent, client_name, expires_at)
     VALUES ($1, $2, $3, $4::"SessionMethod", $5, $6, $7, now() + make_interval(days => $8))`,
    [
      sessionId,
      userId,
      organizationId,
      method,
      client.ipAddress,
      storedUserAgent(client),
      clientName,
      SESSION_LIFETIME_DAYS,
    ],
  );
  const { rows } = await tx.query<{ max_age_seconds: number }>(
    `INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
     SELECT $1, s.id, $3, ${refreshExpirySql('$4')} FROM sessions s WHERE s.id = $2
     RETURNING ${MAX_AGE_SQL}`,
    [newId(), sessionId, sha256(token), config().AUTH_REFRESH_TOKEN_SECONDS],
  );
  await recordAudit(
    tx,
    { type: 'user', userId, ipAddress: client.ipAddress },
    { action: 'session.created', organizationId, target: { type: 'session', id: sessionId }, details: { method } },
  );
  return { sessionId, refresh: { token, maxAgeSeconds: rows[0]?.max_age_seconds ?? 0 } };
}

/** SQL for the expiry of a refresh token of session `s`: after `seconds`, but never after the session's. */
export function refreshExpirySql(seconds: string): string {
  return `LEAST(now() + make_interval(secs => ${seconds}), s.expires_at)`;
}

/** SQL for the remaining lifetime of a refresh token just inserted, as a cookie's Max-Age. */
export const MAX_AGE_SQL = 'round(extract(epoch FROM expires_at - now()))::int AS max_age_seconds';

/** A session, and the person it belongs to. */
export interface SessionRef {
  sessionId: string;
  userId: string;
}

/**
 * Closes a session: its access and refresh tokens are invalid from the commit on. Leaves an ended session as it is.
 * @returns whether it was open
 */
export async function closeSession(
  tx: Sql,
  session: SessionRef,
  actor: Actor,
  action: AuditAction = 'session.closed',
): Promise<boolean> {
  const { rows } = await tx.query<{ organization_id: string | null }>(
    `UPDATE sessions SET closed_at = clock_timestamp()
     WHERE id = $1 AND user_id = $2 AND closed_at IS NULL AND expires_at > clock_timestamp()
     RETURNING organization_id`,
    [session.sessionId, session.userId],
  );
  const closed = rows[0];
  if (closed === undefined) return false;
  await recordAudit(tx, actor, {
    action,
    organizationId: closed.organization_id,
    target: { type: 'session', id: session.sessionId },
  });
  return true;
}

/** Returns the client's user agent, storable and cut to 512 characters. */
export function storedUserAgent(client: ClientInfo): string | null {
  return client.userAgent === null ? null : toStorable(client.userAgent.slice(0, 512));
}
