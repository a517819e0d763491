import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { toStorable } from '@/lib/platform/text';
import { insertRefreshToken } from './refresh-sql';
import { closeOpenSession, insertSession } from './sessions-sql';

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
  const sessionId = newId();
  const token = randomToken();
  const device = [client.ipAddress, storedUserAgent(client), clientName];
  await insertSession.run(tx, sessionId, userId, organizationId, method, ...device, SESSION_LIFETIME_DAYS);
  const lifetime = config().AUTH_REFRESH_TOKEN_SECONDS;
  const issued = await insertRefreshToken.first(tx, newId(), sessionId, sha256(token), lifetime);
  await recordAudit(
    tx,
    { type: 'user', userId, ipAddress: client.ipAddress },
    { action: 'session.created', organizationId, target: { type: 'session', id: sessionId }, details: { method } },
  );
  return { sessionId, refresh: { token, maxAgeSeconds: issued?.max_age_seconds ?? 0 } };
}

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
  const closed = await closeOpenSession.first(tx, session.sessionId, session.userId);
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
