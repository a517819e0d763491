import { findSignInAccount, type SignInAccount } from '@/lib/accounts/accounts';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { isAppError } from '@/lib/platform/errors';
import { noteFailedSignIn, noteSignedIn } from '@/lib/platform/familiar-networks';
import type { HashDeadline } from '@/lib/platform/hashing/hash-turns';
import { hashPassword, isOutdatedHash, verifyPassword } from '@/lib/platform/hashing/passwords';
import { newId } from '@/lib/platform/ids';
import { clientSite } from '@/lib/platform/net/client-network';
import { enforceRateLimits } from '@/lib/platform/rate-limit';
import { endLockout, recordGuess, refundGuess } from './lockout';
import { replaceHash } from './passwords-sql';
import { listAddresses } from './sessions-sql';

/** The last addresses of a person that are looked at. */
const MAX_ADDRESSES = 50;

/** An account, and the hash that its password was checked against. */
export interface AuthenticatedAccount extends SignInAccount {
  passwordHash: string;
}

/**
 * Checks the password of a folded address: first the rate limit, then the lockout, then the password. Everything that
 * accepts a guessable password must call it. An unknown address, an account without a password and a wrong password
 * cost the same work and count alike.
 *
 * @returns the account, or null for a wrong password, which counts as a failure
 * @throws AppError rate_limited, account_locked, overloaded; overloaded counts no failure
 */
export async function checkPassword(
  client: ClientInfo,
  { email, password }: { email: string; password: string },
  deadline: HashDeadline,
): Promise<AuthenticatedAccount | null> {
  await enforceLoginRateLimit(client, email);
  const guess = await recordGuess(email);
  const account = await findWithPassword(email, password, deadline).catch(async (error: unknown) => {
    if (guess !== null) await refundGuess(guess);
    throw error;
  });
  if (account === null) {
    noteFailedSignIn(deadline.client);
    return null;
  }
  noteSignedIn(deadline.client);
  if (guess !== null) await endLockout(database(), email);
  return isOutdatedHash(account.passwordHash) ? rehash(account, password, deadline) : account;
}

async function findWithPassword(
  email: string,
  password: string,
  deadline: HashDeadline,
): Promise<AuthenticatedAccount | null> {
  const account = await findSignInAccount(email);
  const passwordHash = account?.passwordHash ?? null;
  const isFamiliar = deadline.isFamiliar || (await isFamiliarClient(account?.id ?? newId(), deadline.client));
  const isCorrect = await verifyPassword(password, passwordHash, { ...deadline, isFamiliar });
  return isCorrect && account !== null && passwordHash !== null ? { ...account, passwordHash } : null;
}

/** Whether a person has signed in from a client before, as long as their sessions are kept. Takes as long for nobody. */
async function isFamiliarClient(userId: string, client: string): Promise<boolean> {
  const sessions = await listAddresses.all(database(), { user: userId, sessions: MAX_ADDRESSES });
  return sessions.some(({ ip_address: address }) => address !== null && clientSite(address) === client);
}

/**
 * After a change of AUTH_BCRYPT_COST: an old hash is weaker, and its different timing reveals that the account
 * exists.
 */
async function rehash(
  account: AuthenticatedAccount,
  password: string,
  deadline: HashDeadline,
): Promise<AuthenticatedAccount> {
  const passwordHash = await hashPassword(password, deadline).catch((error: unknown) => {
    // The password was right: sign in without rehashing; a later sign-in does it.
    if (isAppError(error) && error.code === 'overloaded') return null;
    throw error;
  });
  if (passwordHash === null) return account;
  const replaced = await replaceHash.run(database(), {
    user: account.id,
    oldHash: account.passwordHash,
    newHash: passwordHash,
  });
  return replaced === 1 ? { ...account, passwordHash } : account;
}

const WINDOW_SECONDS = 60;

/**
 * Counts every sign-in attempt, whatever its result, per IP address and then per folded email address. An attempt
 * refused for its IP address does not count for the email address, otherwise one client could keep any number of
 * people out. The RateLimit headers show the count per address only when it refuses: the count
 * would reveal when other people sign in.
 * @throws AppError rate_limited beyond AUTH_RATE_LIMIT_LOGIN_PER_MINUTE of either
 */
function enforceLoginRateLimit(client: ClientInfo, email: string): Promise<void> {
  const limit = { points: config().AUTH_RATE_LIMIT_LOGIN_PER_MINUTE, windowSeconds: WINDOW_SECONDS };
  return enforceRateLimits(
    [
      { ...limit, name: 'login-ip', key: client.ipAddress ?? 'unknown' },
      { ...limit, ...attemptsOn(email), isDiscreet: true },
    ],
    client,
  );
}

/** The sign-ins to a folded address, from everywhere. */
export const attemptsOn = (email: string) => ({ name: 'login-address', key: email });
