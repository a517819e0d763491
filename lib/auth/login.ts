import { createAccount, emailTaken, findSignInAccount } from '@/lib/accounts/accounts';
import { refuseWeakPassword } from '@/lib/accounts/password-policy';
import { sendPasswordConfirmationMail, sendVerificationMail } from '@/lib/accounts/verify-email';
import type { AnonymousCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { isInvitedBy } from '@/lib/orgs/invitations/invitations';
import { addOrganization, defaultOrganizationName } from '@/lib/orgs/organizations';
import type { Clock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, type ErrorCode, isAppError } from '@/lib/platform/errors';
import { startHashDeadline } from '@/lib/platform/hashing/hash-turns';
import { hashPassword } from '@/lib/platform/hashing/passwords';
import { declareCounter } from '@/lib/platform/metrics';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { consumeRateLimit, enforceRateLimits } from '@/lib/platform/rate-limit';
import { type AuthenticatedAccount, checkPassword } from './check-password';
import { lockSignInAccount, lockUnconfirmedAccount } from './passwords-sql';
import { refuseRegistration } from './registration';
import type { LoginBody, RegisterBody } from './schema';
import { type SignIn, signIn } from './sign-in';

/** Somebody who keeps signing in to another person's account must not fill that person's mailbox. */
const CONFIRMATION_MAILS = { name: 'confirmation-mail', points: 5, windowSeconds: 60 * 60 };

/**
 * Signs a person in with address and password, within the rate limit and the lockout.
 * @throws AppError rate_limited; account_locked; invalid_credentials for an unknown address, an account without a
 *   password, an erased one and a wrong password, all after the same work; password_unconfirmed when the right password
 *   is not confirmed; overloaded
 */
export function login(caller: AnonymousCaller, body: LoginBody, clock: Clock): Promise<SignIn> {
  return countingSignIn('password', tryLogin(caller, body, clock));
}

async function tryLogin(caller: AnonymousCaller, body: LoginBody, clock: Clock): Promise<SignIn> {
  const account = await checkPassword(caller.client, body, startHashDeadline(caller.client));
  if (account === null) throw invalidCredentials();
  const signedIn = await openSessionOf(account, caller, clock);
  if (signedIn !== null) return signedIn;
  await mailConfirmation(account, body.email);
  throw new AppError('password_unconfirmed', 'Confirm this password with the link we just emailed to this address.');
}

/** Returns null when the password is not confirmed. */
function openSessionOf(account: AuthenticatedAccount, caller: AnonymousCaller, clock: Clock): Promise<SignIn | null> {
  return inTransaction(async (tx) => {
    // Locked until the session is stored: a concurrent password change is either seen here, or sees the session and
    // closes it.
    const user = await lockSignInAccount.first(tx, { user: account.id, checkedHash: account.passwordHash });
    if (user === undefined) throw invalidCredentials();
    if (!user.password_confirmed) return null;
    return signIn(
      tx,
      { userId: account.id, method: 'PASSWORD', lastOrganizationId: user.last_organization_id, client: caller.client },
      clock,
    );
  });
}

/** Needs its own transaction: two sign-ins that share the row lock and both issue a link would deadlock. */
async function mailConfirmation(account: AuthenticatedAccount, email: string): Promise<void> {
  const { allowed } = await consumeRateLimit({ ...CONFIRMATION_MAILS, key: account.id });
  if (!allowed) return;
  await inTransaction(async (tx) => {
    const isUnconfirmed =
      (await lockUnconfirmedAccount.run(tx, { user: account.id, checkedHash: account.passwordHash })) === 1;
    if (isUnconfirmed) await sendPasswordConfirmationMail(tx, account.id, email);
  });
}

function invalidCredentials(): AppError {
  return new AppError('invalid_credentials', 'The email address or password is incorrect.');
}

/**
 * Creates an account, an organization that it owns, and its first session; mails the verification link. Someone with an
 * invitation to this address gets no organization: they join one next.
 * @throws AppError validation_failed for a weak password, rate_limited, registration_closed, email_taken, overloaded
 */
export async function register(caller: AnonymousCaller, body: RegisterBody, clock: Clock): Promise<SignIn> {
  const { email, password, name = null } = body;
  await refuseWeakPassword(password, email);
  const points = config().AUTH_RATE_LIMIT_REGISTER_PER_MINUTE;
  await enforceRateLimits(
    [{ name: 'register-ip', key: caller.client.ipAddress ?? 'unknown', points, windowSeconds: 60 }],
    caller.client,
  );
  const isInvited = async (sql: Sql) =>
    body.invitationToken !== undefined && (await isInvitedBy(sql, body.invitationToken, email));
  // Both save the hashing, and are checked again. The insert decides between two registrations at once.
  await refuseRegistration(database(), () => isInvited(database()));
  if ((await findSignInAccount(email)) !== null) throw emailTaken();
  const passwordHash = await hashPassword(password, startHashDeadline(caller.client));
  return inTransaction(async (tx) => {
    await refuseRegistration(tx, () => isInvited(tx));
    const userId = await createAccount(tx, { email, name, passwordHash });
    const actor = { type: 'user', userId, ipAddress: caller.client.ipAddress } as const;
    await recordAudit(tx, actor, 'account.registered', { organizationId: null, targetId: userId });
    const organizationName = body.organizationName ?? defaultOrganizationName({ name, email });
    const own = (await isInvited(tx)) ? null : await addOrganization(tx, actor, userId, organizationName);
    await sendVerificationMail(tx, userId, email);
    const lastOrganizationId = own?.id ?? null;
    return signIn(tx, { userId, method: 'PASSWORD', lastOrganizationId, client: caller.client }, clock);
  });
}

/** Refusals with a count of their own; everything else is an error. */
const REFUSALS: readonly ErrorCode[] = [
  ...(['invalid_credentials', 'password_unconfirmed', 'account_locked', 'rate_limited', 'overloaded'] as const),
  ...(['access_denied', 'expired_token', 'invalid_grant'] as const),
];
/** A client that polls for its device code has not been answered yet. */
const PENDING: readonly ErrorCode[] = ['authorization_pending', 'slow_down'];

type SignInMethod = 'password' | 'idp' | 'device';

const signIns = declareCounter({
  name: 'sign_ins_total',
  help: 'Sign-ins that this process has answered: succeeded, or by the code of the refusal',
  labelNames: ['method', 'outcome'],
});

/** Counts a sign-in that ended. @param outcome succeeded, or from a closed list of refusals */
export function countSignIn(method: SignInMethod, outcome: string): void {
  signIns().inc({ method, outcome });
}

/** Counts the outcome of a sign-in, and passes it on. */
export async function countingSignIn<T>(method: SignInMethod, signingIn: Promise<T>): Promise<T> {
  try {
    const signedIn = await signingIn;
    countSignIn(method, 'succeeded');
    return signedIn;
  } catch (error) {
    const code = isAppError(error) ? error.code : null;
    if (code === null || !PENDING.includes(code)) {
      countSignIn(method, code !== null && REFUSALS.includes(code) ? code : 'error');
    }
    throw error;
  }
}
