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
import type { RowOf } from '@/lib/platform/sql/statement';
import { denyApprovedDeviceCodes } from './close-sessions';
import { findSpentToken, spendRefreshToken } from './refresh-sql';
import { closeSession } from './sessions';
import { moveSession } from './sessions-sql';
import { buildSignedIn, type SignIn } from './sign-in';

/** A token spent this recently was spent by another tab of the same browser, not by a thief. */
const RACE_SECONDS = 10;

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
  const lifetime = config().AUTH_REFRESH_TOKEN_SECONDS;
  const row = await spendRefreshToken.first(tx, sha256(token), newId(), sha256(nextToken), lifetime);
  if (row === undefined) return null;
  const organization = await findHomeOrganization(tx, row.user_id, row.organization_id);
  if (organization !== null && organization.id !== row.organization_id) {
    await moveSession.run(tx, row.session_id, organization.id, row.user_id);
  }
  const session = { userId: row.user_id, sessionId: row.session_id, organization };
  return {
    response: await buildSignedIn(tx, session, clock),
    refresh: { token: nextToken, maxAgeSeconds: row.max_age_seconds },
  };
}

/** Throws why a token could not be spent. A late replay means that two parties hold the session, and closes it. */
async function refuseRefresh(caller: AnonymousCaller, token: string): Promise<never> {
  const spent = await findSpentToken.first(database(), sha256(token), RACE_SECONDS);
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
