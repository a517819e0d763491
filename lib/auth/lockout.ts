import { config } from '@/lib/platform/config/config';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { keyedHash } from '@/lib/platform/keyed-hash';
import { log } from '@/lib/platform/log';
import { failuresKept, type LockoutRules } from './lockout-policy';
import { deleteFailures, findSecondsLocked, listFailures, recordFailure, removeFailure } from './lockout-sql';

/** A password guess, counted as a failure before it is checked. */
export interface Guess {
  addressHash: Buffer;
  countedAt: string;
  /** The end of the lockout that it starts, unless it proves right; null below the threshold. */
  lockedUntil: string | null;
}

/**
 * Counts a guess at the password of a folded address before the password is checked, so that at most
 * AUTH_LOCKOUT_THRESHOLD parallel guesses are checked (docs/decisions/010-guesses-and-hashes-of-passwords.md). The address
 * need not have an account.
 *
 * @returns null when lockout is switched off
 * @throws AppError account_locked while the address is locked; such an attempt neither counts nor prolongs the
 *   lockout
 */
export async function recordGuess(email: string): Promise<Guess | null> {
  if (!config().AUTH_LOCKOUT_ENABLED) return null;
  const addressHash = hashAddress(email);
  const rules = lockoutRules();
  const row = await recordFailure.first(database(), { addressHash, ...rules, kept: failuresKept(rules) });
  if (row === undefined) throw await accountLocked(addressHash);
  return { addressHash, countedAt: row.counted_at, lockedUntil: row.locked_until };
}

/**
 * Removes a guess that was never checked. A failure is only logged: the caller is about to throw the error that caused
 * it.
 */
export async function refundGuess(guess: Guess): Promise<void> {
  const { threshold } = lockoutRules();
  await removeFailure
    .run(database(), { ...guess, threshold })
    .catch((error) => log().warn({ err: error }, 'could not remove a guess that was not checked'));
}

/**
 * Deletes the failures of a folded address and ends its lockout: after the right password, after a password reset,
 * and by the operator.
 */
export async function endLockout(sql: Sql, email: string): Promise<void> {
  await deleteFailures.run(sql, { addressHash: hashAddress(email) });
}

async function accountLocked(addressHash: Buffer): Promise<AppError> {
  const locked = await findSecondsLocked.first(database(), { addressHash });
  // No row: the lockout ended after it refused the guess.
  const retryAfterSeconds = locked?.seconds ?? 1;
  return new AppError('account_locked', 'Too many failed sign-ins. Wait, or reset the password.', {
    retryAfterSeconds,
  });
}

/** The key under which the failures of a folded address are stored. */
function hashAddress(email: string): Buffer {
  return keyedHash(email, 'login lockout');
}

function lockoutRules(): LockoutRules {
  const variables = config();
  return {
    threshold: variables.AUTH_LOCKOUT_THRESHOLD,
    initialSeconds: variables.AUTH_LOCKOUT_INITIAL_SECONDS,
    maxSeconds: variables.AUTH_LOCKOUT_MAX_SECONDS,
    windowMinutes: variables.AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES,
  };
}

/** The failed sign-ins of an address, and the lockout they led to. */
export interface Lockout {
  /** Within AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES. */
  failures: number;
  /** RFC 3339; null while the address is not locked. */
  lockedUntil: string | null;
}

/** Returns the failures and lockouts of folded addresses; an address without failures is absent. For the operator. */
export async function listLockouts(emails: readonly string[]): Promise<Map<string, Lockout>> {
  if (!config().AUTH_LOCKOUT_ENABLED) return new Map();
  const emailOf = new Map(emails.map((email) => [hashAddress(email).toString('hex'), email]));
  const addressHashes = [...emailOf.keys()].map((hex) => Buffer.from(hex, 'hex'));
  const rows = await listFailures.all(database(), {
    addressHashes,
    windowMinutes: config().AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES,
  });
  return new Map(
    rows
      .filter((row) => row.failures > 0 || row.locked_until !== null)
      .map((row) => [
        emailOf.get(row.address_hash.toString('hex')) ?? '',
        { failures: row.failures, lockedUntil: row.locked_until?.toISOString() ?? null },
      ]),
  );
}
