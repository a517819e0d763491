import { sendNotice } from '@/lib/accounts/notices';
import type { AnonymousCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { countingSignIn } from '@/lib/auth/login';
import { type DeviceCodes, DeviceRequest, type StartDeviceBody } from '@/lib/auth/schema';
import { openSession, storedUserAgent } from '@/lib/auth/sessions';
import { buildSignedIn, type SignIn } from '@/lib/auth/sign-in';
import { findHomeOrganization } from '@/lib/orgs/organizations';
import type { OrganizationSummary } from '@/lib/orgs/schema';
import type { Clock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inCamelCase, present } from '@/lib/platform/present';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { enforceRateLimits } from '@/lib/platform/rate-limit';
import type { RowOf, ValuesOf } from '@/lib/platform/sql/statement';
import {
  decideCode,
  exchangeCode,
  findCode,
  findPendingCode,
  insertCode,
  lockApproverAccount,
  lockApproverSession,
  recordTimelyPoll,
  slowDownPolls,
} from './device-sql';
import { foldUserCode, formatUserCode, hashUserCode, limitGuesses, newUserCode } from './user-code';

const LIFETIME_SECONDS = 600;
const INTERVAL_SECONDS = 5;
/** Anyone may start: the limit bounds the table, and the number of live codes a guess could hit. */
const STARTS = { name: 'device-start', points: 120, windowSeconds: 600 };
/** Out of 25.6 billion codes at most a few thousand are stored: two collisions in a row do not happen by chance. */
const MAX_DRAWS = 5;

/**
 * Starts a device sign-in: one code for the client to poll with, one for the person to type. Both are stored as
 * hashes.
 *
 * @param drawUserCode generates user codes without the dash
 * @throws AppError rate_limited
 */
export async function startDeviceCode(
  caller: AnonymousCaller,
  body: StartDeviceBody,
  drawUserCode: () => string = newUserCode,
): Promise<DeviceCodes> {
  const { client } = caller;
  await enforceRateLimits([{ ...STARTS, key: client.ipAddress ?? 'unknown' }], client);
  const deviceCode = randomToken();
  const code = {
    id: newId(),
    deviceCodeHash: sha256(deviceCode),
    clientName: body.clientName ?? null,
    ipAddress: client.ipAddress,
    userAgent: storedUserAgent(client),
    intervalSeconds: INTERVAL_SECONDS,
    lifetimeSeconds: LIFETIME_SECONDS,
  };
  const userCode = formatUserCode(await insertWithFreeUserCode(code, drawUserCode));
  const verificationUri = `${config().baseUrl}/device`;
  return {
    deviceCode,
    userCode,
    verificationUri,
    verificationUriComplete: `${verificationUri}?userCode=${userCode}`,
    expiresIn: LIFETIME_SECONDS,
    interval: INTERVAL_SECONDS,
  };
}

type NewCode = Omit<ValuesOf<typeof insertCode.params>, 'userCodeHash'>;

/** Draws user codes until one is unused, stores it and returns it. */
async function insertWithFreeUserCode(code: NewCode, drawUserCode: () => string): Promise<string> {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const userCode = drawUserCode();
    const stored = await insertCode.run(database(), { ...code, userCodeHash: hashUserCode(userCode) });
    if (stored === 1) return userCode;
  }
  throw new Error(`no free user code in ${MAX_DRAWS} draws`);
}

/**
 * Returns the request behind a user code, for a person to read before they decide.
 * @throws AppError not_found for an unknown, decided or expired code; rate_limited
 */
export async function getDeviceRequest(caller: PersonCaller, typedCode: string): Promise<DeviceRequest> {
  const row = await limitGuesses(caller, () => findPending(typedCode));
  return present(DeviceRequest, inCamelCase(row));
}

async function findPending(typedCode: string): Promise<RowOf<typeof findPendingCode.columns> | null> {
  const userCode = foldUserCode(typedCode);
  if (userCode === null) return null;
  return (await findPendingCode.first(database(), { userCodeHash: hashUserCode(userCode) })) ?? null;
}

/**
 * Lets the client that shows this code act as the caller, in the organization of the caller's session, and mails the
 * caller a notice. When several people decide at once, one decision wins.
 * @throws AppError not_found for an unknown, decided or expired code; rate_limited
 */
export async function approveDeviceCode(caller: PersonCaller, typedCode: string): Promise<void> {
  await limitGuesses(caller, () =>
    inTransaction(async (tx) => {
      const email = await lockApprover(tx, caller);
      const id = await decide(tx, typedCode, { status: 'APPROVED', caller });
      if (id !== null) await sendNotice(tx, { userId: caller.userId, email }, 'device_approved', caller);
      return id;
    }),
  );
}

/**
 * Refuses the client that shows this code.
 * @throws AppError not_found for an unknown, decided or expired code; rate_limited
 */
export async function denyDeviceCode(caller: PersonCaller, typedCode: string): Promise<void> {
  await limitGuesses(caller, () => inTransaction((tx) => decide(tx, typedCode, { status: 'DENIED', caller })));
}

/**
 * Locks the caller's account and session until the approval is committed: whatever closes all sessions either commits
 * before and is seen here, or sees the approval and denies it.
 * @returns the address of the account
 */
async function lockApprover(tx: Sql, { userId, sessionId }: PersonCaller): Promise<string> {
  const approver = await lockApproverSession.first(tx, { user: userId, session: sessionId });
  if (approver === undefined) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
  return approver.email;
}

async function decide(
  tx: Sql,
  typedCode: string,
  { status, caller }: { status: 'APPROVED' | 'DENIED'; caller: PersonCaller },
): Promise<string | null> {
  const userCode = foldUserCode(typedCode);
  if (userCode === null) return null;
  const { userId, organizationId } = caller;
  const decided = await decideCode.first(tx, {
    userCodeHash: hashUserCode(userCode),
    status,
    user: userId,
    organization: organizationId,
  });
  if (decided === undefined) return null;
  await recordAudit(tx, caller, status === 'APPROVED' ? 'device.approved' : 'device.denied', {
    organizationId,
    targetId: decided.id,
  });
  return decided.id;
}

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
  const code = await findCode.first(database(), { deviceCodeHash: codeHash });
  if (!isLive(code)) throw refusalOf(code);
  if (code.status === 'PENDING') throw await recordPoll(code.id);
  return inTransaction(async (tx) => {
    const userId = await lockApprovingAccount(tx, code);
    const isExchanged = (await exchangeCode.run(tx, { code: code.id })) > 0;
    if (!isExchanged) throw refusalOf(await findCode.first(tx, { deviceCodeHash: codeHash }));
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
async function lockApprovingAccount(tx: Sql, code: Code): Promise<string> {
  const approver = await lockApproverAccount.first(tx, { user: code.user_id });
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
  const isInTime = (await recordTimelyPoll.run(database(), { code: codeId })) === 1;
  if (isInTime) return pending();
  const slowed = await slowDownPolls.first(database(), {
    code: codeId,
    addedSeconds: SLOW_DOWN_SECONDS,
    maxSeconds: MAX_INTERVAL_SECONDS,
  });
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
