import { lockAccount } from '@/lib/accounts/accounts';
import { sendNotice } from '@/lib/accounts/notices';
import type { AnonymousCaller, PersonCaller } from '@/lib/audit/caller';
import { findHomeOrganization, getMembership } from '@/lib/orgs/organizations';
import type { Clock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { consumeInTransaction } from '@/lib/platform/count-in-transaction';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, isAppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { RowOf } from '@/lib/platform/sql/statement';
import { verifyAccessToken } from './access-token';
import { denyApprovedDeviceCodes } from './close-sessions';
import type { RestoredSession, SignedIn, SwitchOrganizationBody } from './schema';
import { closeSession, type IssuedRefreshToken, type SessionRef } from './sessions';
import {
  findEndOfToken,
  findSessionOfToken,
  findSpentToken,
  findUnspentToken,
  moveSession,
  setLastOrganization,
  spendRefreshToken,
} from './sessions-sql';
import { buildSignedIn, type SignIn } from './sign-in';

/** A token spent this recently was spent by another tab of the same browser, not by a thief. */
const RACE_SECONDS = 10;

/**
 * Spent tokens stay as long as their session, so the limit bounds them. Only refreshes that succeed count: a thief must not keep a replay
 * from being noticed.
 */
const REFRESHES = { name: 'refresh', points: 1_000, windowSeconds: 60 * 60 };
const RETRY_AFTER_SECONDS = 60;

/**
 * Exchanges a refresh token for new tokens of the same session.
 * @throws AppError invalid_refresh_token; refresh_superseded for a spent one, which also closes the session when it
 *   was spent more than 10 s ago; rate_limited beyond 1,000 of the person in an hour, and the token is not spent
 */
export async function refresh(caller: AnonymousCaller, token: string, clock: Clock): Promise<SignIn> {
  const renewed = await inTransaction((tx) => renew(tx, token, clock));
  return renewed ?? refuseRefresh(caller, token);
}

async function renew(tx: Sql, token: string, clock: Clock): Promise<SignIn | null> {
  const nextToken = randomToken();
  const row = await spendRefreshToken.first(tx, {
    tokenHash: sha256(token),
    nextId: newId(),
    nextHash: sha256(nextToken),
    lifetimeSeconds: config().AUTH_REFRESH_TOKEN_SECONDS,
  });
  if (row === undefined) return null;
  if (!(await consumeInTransaction(tx, { ...REFRESHES, key: row.user_id }))) {
    const detail = 'Your sessions were refreshed too often in the last hour. Try again later.';
    throw new AppError('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  const organization = await findHomeOrganization(tx, row.user_id, row.organization_id);
  if (organization !== null && organization.id !== row.organization_id) {
    await moveSession.run(tx, { session: row.session_id, organization: organization.id, user: row.user_id });
  }
  const session = { userId: row.user_id, sessionId: row.session_id, organization };
  return {
    response: await buildSignedIn(tx, session, clock),
    refresh: { token: nextToken, maxAgeSeconds: row.max_age_seconds },
  };
}

/** Throws why a token could not be spent. A late replay means that two parties hold the session, and closes it. */
async function refuseRefresh(caller: AnonymousCaller, token: string): Promise<never> {
  const spent = await findSpentToken.first(database(), { tokenHash: sha256(token), raceSeconds: RACE_SECONDS });
  if (spent === undefined) {
    throw new AppError('invalid_refresh_token', 'This session has ended. Sign in again.');
  }
  if (spent.is_replay) {
    await closeStolenSession(caller, spent);
    throw new AppError('refresh_superseded', 'This refresh token was already used, so we closed its session.');
  }
  throw new AppError('refresh_superseded', 'Another request just refreshed this session.');
}

/** When several replays arrive at once, one closes the session and mails its person. */
function closeStolenSession(caller: AnonymousCaller, stolen: RowOf<typeof findSpentToken.columns>): Promise<void> {
  const { session_id: sessionId, user_id: userId, email } = stolen;
  const actor = { type: 'user', userId, ipAddress: caller.client.ipAddress } as const;
  return inTransaction(async (tx) => {
    const wasOpen = await closeSession(tx, { sessionId, userId }, actor, 'session.theft_detected');
    if (!wasOpen) return;
    // The thief may have approved a device code.
    await denyApprovedDeviceCodes(tx, userId);
    await sendNotice(tx, { userId, email }, 'session_theft', { client: caller.client });
  });
}

/** The session of a browser, with its next refresh token; `refresh` is null without a session. */
interface Restored {
  response: RestoredSession;
  refresh: IssuedRefreshToken | null;
}

/**
 * Refreshes the session of a browser. A token without an open session is not an error: it returns why the session ended.
 * @param token of the browser's cookie; null without one
 * @throws AppError refresh_superseded and rate_limited, as refresh does
 */
export async function restore(caller: AnonymousCaller, token: string | null, clock: Clock): Promise<Restored> {
  if (token === null) return { response: { session: null, ended: null }, refresh: null };
  try {
    const { response, refresh: next } = await refresh(caller, token, clock);
    return { response: { session: response, ended: null }, refresh: next };
  } catch (error) {
    if (!isAppError(error) || error.code !== 'invalid_refresh_token') throw error;
    const end = await findEndOfToken.first(database(), { tokenHash: sha256(token) });
    return { response: { session: null, ended: end?.is_closed ? 'closed' : 'expired' }, refresh: null };
  }
}

/**
 * Moves the caller's session, and their later sign-ins, to another of their organizations. The new access token
 * expires when the caller's does.
 * @throws AppError not_found when the caller is not a member of it; unauthenticated when the account is erased
 *   meanwhile, or the session can no longer be refreshed
 */
export function switchOrganization(
  caller: PersonCaller,
  body: SwitchOrganizationBody,
  clock: Clock,
): Promise<SignedIn> {
  return inTransaction(async (tx) => {
    const { userId, sessionId } = caller;
    // Locks the account before the session, as everything that closes sessions does.
    await lockAccount(tx, userId);
    await refuseUnlessRefreshable(tx, sessionId);
    const organization = await getMembership(tx, userId, body.organizationId);
    await setLastOrganization.run(tx, { user: userId, organization: organization.id });
    await moveSession.run(tx, { session: sessionId, organization: organization.id, user: userId });
    return buildSignedIn(tx, { userId, sessionId, organization }, clock, caller.tokenExpiresAt);
  });
}

/** An access token must not prolong itself: a stolen one would be valid for as long as the session. */
async function refuseUnlessRefreshable(tx: Sql, sessionId: string): Promise<void> {
  const isRefreshable = (await findUnspentToken.run(tx, { session: sessionId })) > 0;
  if (!isRefreshable) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
}

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
  const row = await findSessionOfToken.first(database(), { tokenHash: sha256(token) });
  return row === undefined ? null : { sessionId: row.session_id, userId: row.user_id };
}
