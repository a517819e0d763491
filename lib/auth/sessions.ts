import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudit, recordAudits } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { database, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { inCamelCase, present } from '@/lib/platform/present';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import type { RowOf } from '@/lib/platform/sql/statement';
import { toStorable } from '@/lib/platform/text';
import { readUserAgent } from '@/lib/platform/user-agent';
import { Session } from './schema';
import {
  closeOldestSessions,
  closeOpenSession,
  insertRefreshToken,
  insertSession,
  listOpenSessions,
} from './sessions-sql';

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

/** Stores the session of a sign-in with its first refresh token. Closes the oldest sessions of a person who has too many. */
export async function openSession(
  tx: Sql,
  session: NewSession,
): Promise<{ sessionId: string; refresh: IssuedRefreshToken }> {
  const { userId, organizationId, method, client, clientName = null } = session;
  const sessionId = newId();
  const token = randomToken();
  await insertSession.run(tx, {
    id: sessionId,
    user: userId,
    organization: organizationId,
    method,
    ipAddress: client.ipAddress,
    userAgent: storedUserAgent(client),
    clientName,
    lifetimeDays: SESSION_LIFETIME_DAYS,
  });
  const issued = await insertRefreshToken.first(tx, {
    id: newId(),
    session: sessionId,
    tokenHash: sha256(token),
    lifetimeSeconds: config().AUTH_REFRESH_TOKEN_SECONDS,
  });
  const actor = { type: 'user', userId, ipAddress: client.ipAddress } as const;
  await recordAudit(tx, actor, 'session.created', { organizationId, targetId: sessionId, details: { method } });
  const closed = await closeOldestSessions.all(tx, { user: userId });
  const entries = closed.map(({ id, organization_id }) => ({ organizationId: organization_id, targetId: id }));
  await recordAudits(tx, actor, 'session.closed', entries);
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
  const closed = await closeOpenSession.first(tx, { session: session.sessionId, user: session.userId });
  if (closed === undefined) return false;
  await recordAudit(tx, actor, action, { organizationId: closed.organization_id, targetId: session.sessionId });
  return true;
}

/** Returns the client's user agent, storable and cut to 512 characters. */
export function storedUserAgent(client: ClientInfo): string | null {
  return client.userAgent === null ? null : toStorable(client.userAgent.slice(0, 512));
}

/** Lists the caller's open sessions, newest first. */
export async function listSessions(caller: PersonCaller, page: Page): Promise<Listing<Session>> {
  const rows = await listOpenSessions.all(database(), {
    user: caller.userId,
    cursor: page.cursor ?? null,
    limit: page.limit + 1,
  });
  return toListing(rows, page.limit, (row) => presentSession(row, caller.sessionId));
}

function presentSession(row: RowOf<typeof listOpenSessions.columns>, currentId: string): Session {
  const session = inCamelCase(row);
  return present(Session, { ...session, device: describeDevice(session), current: row.id === currentId });
}

interface SessionClient {
  method: SessionMethod;
  clientName: string | null;
  userAgent: string | null;
}

/** The name before the first version or space, as programs send it: `curl/8.5`, `python-requests/2.31`, `node`. */
const PROGRAM = /^(?!Mozilla\b)[A-Za-z][\w.+-]{0,39}(?=[/ ]|$)/;

/**
 * Names the device of a session in words its person recognizes: "Chrome on macOS", "CLI on build-box", "curl". A
 * client that signed in with a device code is called what it called itself.
 */
export function describeDevice({ method, clientName, userAgent }: SessionClient): string {
  if (method === 'DEVICE' && clientName !== null) {
    return /\bcli\b/i.test(clientName) ? clientName : `CLI on ${clientName}`;
  }
  const { browser, system } = readUserAgent(userAgent ?? '');
  if (browser !== null && system !== null) return `${browser.replace(/ for Android$/, '')} on ${system}`;
  const program = PROGRAM.exec(userAgent ?? '')?.[0];
  return browser ?? program ?? (method === 'DEVICE' ? 'CLI' : 'Unknown device');
}
