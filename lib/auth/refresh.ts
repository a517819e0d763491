import { sendNotice } from '@/lib/accounts/notices';
import type { AnonymousCaller } from '@/lib/audit/caller';
import { findHomeOrganization } from '@/lib/orgs/queries';
import type { Clock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { denyApprovedDeviceCodes } from './close-sessions';
import { closeSession, type IssuedRefreshToken, MAX_AGE_SQL, refreshExpirySql } from './sessions';
import { buildSignedIn, type SignIn } from './sign-in';

/** A token spent this recently was spent by another tab of the same browser, not by a thief. */
const RACE_SECONDS = 10;

/*
 * Spends a token and issues the next in one statement, so that only one of several requests succeeds. Also updates
 * the session's `last_used_at`.
 */
const SPEND_SQL = `
  WITH spent AS (
    UPDATE refresh_tokens r SET spent_at = clock_timestamp()
    FROM sessions s JOIN users u ON u.id = s.user_id AND u.erased_at IS NULL
    WHERE r.token_hash = $1 AND r.spent_at IS NULL AND r.expires_at > clock_timestamp()
      AND s.id = r.session_id AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()
    RETURNING s.id, s.user_id, s.organization_id, s.expires_at
  ), used AS (
    UPDATE sessions SET last_used_at = now() FROM spent WHERE sessions.id = spent.id
  )
  INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
  SELECT $2, s.id, $3, ${refreshExpirySql('$4')} FROM spent s
  RETURNING session_id, ${MAX_AGE_SQL},
    (SELECT user_id FROM spent) AS user_id, (SELECT organization_id FROM spent) AS organization_id`;

interface SpentRow {
  session_id: string;
  user_id: string;
  organization_id: string | null;
  max_age_seconds: number;
}

interface ReplayedRow {
  session_id: string;
  user_id: string;
  email: string;
  is_replay: boolean;
}

/**
 * Exchanges a refresh token for new tokens of the same session.
 * @throws AppError invalid_refresh_token; refresh_superseded for a spent one, which also closes the session when it
 *   was spent more than 10 s ago
 */
export async function refresh(caller: AnonymousCaller, token: string, clock: Clock): Promise<SignIn> {
  const renewed = await inTransaction((tx) => renew(tx, token, clock));
  return renewed ?? refuseRefresh(caller, token);
}

async function renew(tx: Sql, token: string, clock: Clock): Promise<SignIn | null> {
  const nextToken = randomToken();
  const { rows } = await tx.query<SpentRow>(SPEND_SQL, [
    sha256(token),
    newId(),
    sha256(nextToken),
    config().AUTH_REFRESH_TOKEN_SECONDS,
  ]);
  const row = rows[0];
  if (row === undefined) return null;
  const next: IssuedRefreshToken = { token: nextToken, maxAgeSeconds: row.max_age_seconds };
  const organization = await findHomeOrganization(tx, row.user_id, row.organization_id);
  if (organization !== null && organization.id !== row.organization_id) {
    await tx.query('UPDATE sessions SET organization_id = $2 WHERE id = $1', [row.session_id, organization.id]);
  }
  const session = { userId: row.user_id, sessionId: row.session_id, organization };
  return { response: await buildSignedIn(tx, session, clock), refresh: next };
}

/** Throws why a token could not be spent. A late replay means that two parties hold the session, and closes it. */
async function refuseRefresh(caller: AnonymousCaller, token: string): Promise<never> {
  const { rows } = await database().query<ReplayedRow>(
    `SELECT r.session_id, s.user_id, u.email, r.spent_at < clock_timestamp() - make_interval(secs => $2) AS is_replay
     FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id JOIN users u ON u.id = s.user_id
     WHERE r.token_hash = $1 AND r.spent_at IS NOT NULL
       AND s.closed_at IS NULL AND s.expires_at > clock_timestamp() AND u.erased_at IS NULL`,
    [sha256(token), RACE_SECONDS],
  );
  const spent = rows[0];
  if (spent === undefined) {
    throw new AppError('invalid_refresh_token', 'This session has ended. Sign in again.');
  }
  if (spent.is_replay) {
    await closeStolenSession(caller, spent);
    throw new AppError('refresh_superseded', 'This refresh token was used before, so its session was closed.');
  }
  throw new AppError('refresh_superseded', 'Another request has just refreshed this session.');
}

/** When several replays arrive at once, one closes the session and mails its person. */
function closeStolenSession(caller: AnonymousCaller, stolen: ReplayedRow): Promise<void> {
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
