import { findSignInAccount, type SignInAccount } from '@/lib/accounts/queries';
import { database } from '@/lib/platform/db';
import { isAppError } from '@/lib/platform/errors';
import type { Patience } from '@/lib/platform/hashing/hash-turns';
import { hashPassword, isOutdatedHash, verifyPassword } from '@/lib/platform/hashing/passwords';
import type { Origin } from '@/lib/platform/origin';
import { endLockout, giveBackGuess, takeGuess } from './lockout';
import { enforceLoginRateLimit } from './login-rate-limit';

/** An account whose password was just given. */
export interface ProvenAccount extends SignInAccount {
  passwordHash: string;
}

/**
 * Finds out whether a password is the one of the account at a folded address, as every path must that takes a password
 * somebody may be guessing (spec 5.3): the rate limit is judged first, then the lockout, then the password (CONTRACT 10).
 * An unknown address, an account without a password and a wrong password cost the same work and count alike.
 *
 * @returns the account, or null when the password is not right: the guess has then been counted
 * @throws AppError rate_limited, account_locked, overloaded; the last leaves no guess counted
 */
export async function provePassword(
  origin: Origin,
  { email, password }: { email: string; password: string },
  patience: Patience,
): Promise<ProvenAccount | null> {
  await enforceLoginRateLimit(origin, email);
  const guess = await takeGuess(email);
  const account = await judge(email, password, patience).catch(async (error: unknown) => {
    if (guess !== null) await giveBackGuess(guess);
    throw error;
  });
  if (account === null) return null;
  if (guess !== null) await endLockout(database(), email);
  return isOutdatedHash(account.passwordHash) ? rehash(account, password, patience) : account;
}

async function judge(email: string, password: string, patience: Patience): Promise<ProvenAccount | null> {
  const account = await findSignInAccount(database(), email);
  const passwordHash = account?.passwordHash ?? null;
  const isRight = await verifyPassword(password, passwordHash, patience);
  return isRight && account !== null && passwordHash !== null ? { ...account, passwordHash } : null;
}

/** After AUTH_BCRYPT_COST was changed: an old hash is weaker, and the time it takes would tell that the account exists. */
async function rehash(account: ProvenAccount, password: string, patience: Patience): Promise<ProvenAccount> {
  const passwordHash = await hashPassword(password, patience).catch((error: unknown) => {
    // Right is right: another sign-in will find the time.
    if (isAppError(error) && error.code === 'overloaded') return null;
    throw error;
  });
  if (passwordHash === null) return account;
  const { rowCount } = await database().query(
    'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
    [account.id, account.passwordHash, passwordHash],
  );
  return rowCount === 1 ? { ...account, passwordHash } : account;
}
