import { type Actor, recordAuditSql } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Origin } from '@/lib/platform/origin';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { toStorable } from '@/lib/platform/text';

/** A session ends so long after its sign-in, whatever is refreshed (CONTRACT 2). */
const SESSION_LIFETIME_DAYS = 30;

/** A refresh token as it is handed out, this once: only its hash is stored. */
export interface IssuedRefreshToken {
  token: string;
  /** Whole seconds until it, or its session, ends. */
  maxAgeSeconds: number;
}

export interface NewSession {
  userId: string;
  organizationId: string | null;
  method: SessionMethod;
  origin: Origin;
  /** What a client called itself when it asked for a device code. */
  clientName?: string | null;
}

/** Opens the session of one sign-in (spec 5.2.5), with its first refresh token. */
export async function openSession(
  tx: Sql,
  session: NewSession,
): Promise<{ sessionId: string; refresh: IssuedRefreshToken }> {
  const { userId, organizationId, method, origin, clientName = null } = session;
  const [sessionId, token] = [newId(), randomToken()];
  await tx.query(
    `INSERT INTO sessions (id, user_id, organization_id, method, ip_address, user_agent, client_name, expires_at)
     VALUES ($1, $2, $3, $4::"SessionMethod", $5, $6, $7, now() + make_interval(days => $8))`,
    [
      sessionId,
      userId,
      organizationId,
      method,
      origin.ipAddress,
      storedUserAgent(origin),
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
  await recordAuditSql(
    tx,
    { type: 'user', userId, ipAddress: origin.ipAddress },
    { action: 'session.created', organizationId, target: { type: 'session', id: sessionId }, details: { method } },
  );
  return { sessionId, refresh: { token, maxAgeSeconds: rows[0]?.max_age_seconds ?? 0 } };
}

/** SQL for the end of a refresh token of session `s`: after its own seconds, and never after the session's. */
export function refreshExpirySql(seconds: string): string {
  return `LEAST(now() + make_interval(secs => ${seconds}), s.expires_at)`;
}

/** SQL for what is left of a refresh token just inserted, as a cookie's Max-Age. */
export const MAX_AGE_SQL = 'round(extract(epoch FROM expires_at - now()))::int AS max_age_seconds';

/** A session, and whose it is. */
export interface NamedSession {
  sessionId: string;
  userId: string;
}

/**
 * Closes a session: its access and refresh tokens are dead with the commit. A session that has ended stays as it is.
 * @returns whether it was open
 */
export async function closeSession(
  tx: Sql,
  session: NamedSession,
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
  await recordAuditSql(tx, actor, {
    action,
    organizationId: closed.organization_id,
    target: { type: 'session', id: session.sessionId },
  });
  return true;
}

/** A browser's or client's own description of itself, storable and of bounded length. */
export function storedUserAgent(origin: Origin): string | null {
  return origin.userAgent === null ? null : toStorable(origin.userAgent.slice(0, 512));
}
