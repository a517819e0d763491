import type { AnonymousCaller } from '@/lib/audit/caller';
import { countingSignIn } from '@/lib/auth/count-sign-in';
import { openSession } from '@/lib/auth/sessions';
import { buildSignedIn, type SignIn } from '@/lib/auth/sign-in';
import { findHomeOrganization } from '@/lib/orgs/queries';
import type { OrganizationSummary } from '@/lib/orgs/schema';
import type { Clock } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { RowOf } from '@/lib/platform/sql/statement';
import { exchangeCode, findCode, lockApproverAccount, recordTimelyPoll, slowDownPolls } from './device-sql';

type Code = RowOf<typeof findCode.columns>;

/**
 * Exchanges an approved device code, once, for a session of the person who approved it, in the organization it was
 * approved for. The session's address and user agent are the client's.
 * @throws AppError authorization_pending, slow_down, access_denied, expired_token, invalid_grant
 */
export function exchangeDeviceCode(caller: AnonymousCaller, deviceCode: string, clock: Clock): Promise<SignIn> {
  return countingSignIn('device', tryExchange(caller, deviceCode, clock));
}

async function tryExchange(caller: AnonymousCaller, deviceCode: string, clock: Clock): Promise<SignIn> {
  const codeHash = sha256(deviceCode);
  const code = await findCode.first(database(), codeHash);
  if (!isLive(code)) throw refusalOf(code);
  if (code.status === 'PENDING') throw await recordPoll(code.id);
  return inTransaction(async (tx) => {
    const userId = await lockApprover(tx, code);
    const isExchanged = (await exchangeCode.run(tx, code.id)) > 0;
    if (!isExchanged) throw refusalOf(await findCode.first(tx, codeHash));
    const organization = await approvedOrganization(tx, userId, code.organization_id);
    const { sessionId, refresh } = await openSession(tx, {
      userId,
      organizationId: organization?.id ?? null,
      method: 'DEVICE',
      client: caller.client,
      clientName: code.client_name,
    });
    return { response: await buildSignedIn(tx, { userId, sessionId, organization }, clock), refresh };
  });
}

function isLive(code: Code | undefined): code is Code {
  return code !== undefined && !code.is_expired && (code.status === 'PENDING' || code.status === 'APPROVED');
}

/** A denied code keeps its own error after it expires: it tells the client more. */
function refusalOf(code: Code | undefined): AppError {
  if (code === undefined || code.status === 'EXCHANGED') {
    return new AppError('invalid_grant', 'This device code is unknown or has already been exchanged.');
  }
  return code.status === 'DENIED' ? accessDenied() : new AppError('expired_token', 'This device code has expired.');
}

/**
 * Locks the account until the session is stored, as a sign-in does; whatever closes all sessions takes this lock
 * first, too.
 */
async function lockApprover(tx: Sql, code: Code): Promise<string> {
  const approver = await lockApproverAccount.first(tx, code.user_id);
  if (approver === undefined) throw accessDenied();
  return approver.id;
}

/**
 * An approval ends with its approver's membership: the client would act in an organization that its person has left.
 */
async function approvedOrganization(
  tx: Sql,
  userId: string,
  approvedId: string | null,
): Promise<OrganizationSummary | null> {
  const organization = await findHomeOrganization(tx, userId, approvedId);
  if (approvedId !== null && organization?.id !== approvedId) throw accessDenied();
  return organization;
}

function accessDenied(): AppError {
  return new AppError('access_denied', 'The sign-in was denied, or its approval is no longer valid.');
}

/** Each early poll adds this to the interval, permanently (RFC 8628 section 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** The lifetime of a code: a longer interval would have no effect. */
const MAX_INTERVAL_SECONDS = 600;

/**
 * Records a poll for a code that is not decided yet.
 * @returns the error to send: authorization_pending, or slow_down with the new `interval` in seconds
 */
async function recordPoll(codeId: string): Promise<AppError> {
  const isInTime = (await recordTimelyPoll.run(database(), codeId)) === 1;
  if (isInTime) return pending();
  const slowed = await slowDownPolls.first(database(), codeId, SLOW_DOWN_SECONDS, MAX_INTERVAL_SECONDS);
  // Decided since it was read: the next poll gets the decision.
  if (slowed === undefined) return pending();
  const interval = slowed.interval_seconds;
  return new AppError('slow_down', `Polled too soon. Wait ${interval} seconds before each poll.`, {
    extra: { interval },
  });
}

function pending(): AppError {
  return new AppError('authorization_pending', 'Nobody has approved this code yet. Poll again after the interval.');
}
