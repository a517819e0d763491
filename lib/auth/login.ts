import { sendPasswordConfirmationMail } from '@/lib/accounts/confirm-password';
import type { AnonymousCaller } from '@/lib/audit/caller';
import type { Clock } from '@/lib/platform/clock';
import { AppError } from '@/lib/platform/errors';
import { startHashDeadline } from '@/lib/platform/hashing/hash-turns';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { consumeRateLimit } from '@/lib/platform/rate-limit';
import { type AuthenticatedAccount, checkPassword } from './check-password';
import { countingSignIn } from './count-sign-in';
import { lockSignInAccount, lockUnconfirmedAccount } from './passwords-sql';
import type { LoginBody } from './schema';
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
    const user = await lockSignInAccount.first(tx, account.id, account.passwordHash);
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
    const isUnconfirmed = (await lockUnconfirmedAccount.run(tx, account.id, account.passwordHash)) === 1;
    if (isUnconfirmed) await sendPasswordConfirmationMail(tx, account.id, email);
  });
}

function invalidCredentials(): AppError {
  return new AppError('invalid_credentials', 'The email address or password is incorrect.');
}
