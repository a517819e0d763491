import { config } from '@/lib/platform/config/config';
import { endThreads, forgetTurns, type HashDeadline, runOnThread, takeTurn } from './hash-turns';

/** The longest password in UTF-8 bytes. bcrypt ignores the rest, so a longer password must never match. */
export const PASSWORD_MAX_BYTES = 72;

/** 53 arbitrary characters: a hash that no password has, and that takes as long to compare as a real one. */
const NOBODYS_SALT_AND_HASH = 'eI5xqVn0v1zqMkB7sYw2cuJm4Zr8tQp6LdX3hGfA9bNoRiSkTyWUe';

/**
 * Hashes a password of at most 72 bytes with bcrypt at AUTH_BCRYPT_COST, off the event loop.
 * @throws AppError overloaded when it is not its turn in time
 */
export async function hashPassword(password: string, deadline: HashDeadline): Promise<string> {
  if (isTooLong(password)) throw new Error('a password longer than bcrypt reads was not refused');
  return takeTurn('new', deadline, () => runOnThread<string>('hash', { password, cost: config().AUTH_BCRYPT_COST }));
}

/**
 * Whether the password has this hash. Without a hash (no such account, or one without a password) it returns false after the
 * same work, so that timing reveals nothing.
 * @throws AppError overloaded when it is not its turn in time
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
  deadline: HashDeadline,
): Promise<boolean> {
  const { AUTH_BCRYPT_COST: cost } = config();
  return takeTurn('known', deadline, async () => {
    const matches = await runOnThread<boolean>('compare', { password, against: passwordHash ?? dummyHash(cost) });
    // A hash of a lower cost is faster, which would reveal that its account exists: 2^c + 2^c + 2^(c+1) + … = 2^cost.
    for (let missing = costOf(passwordHash) ?? cost; missing < cost; missing += 1) {
      await runOnThread<boolean>('compare', { password, against: dummyHash(missing) });
    }
    return matches && passwordHash !== null && !isTooLong(password);
  });
}

/** Whether a hash has another cost than AUTH_BCRYPT_COST, and so takes another time to compare. */
export function isOutdatedHash(passwordHash: string): boolean {
  return costOf(passwordHash) !== config().AUTH_BCRYPT_COST;
}

/** Ends the threads. For shutdown and tests. */
export async function closeHashing(): Promise<void> {
  forgetTurns();
  await endThreads();
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > PASSWORD_MAX_BYTES;
}

function dummyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${NOBODYS_SALT_AND_HASH}`;
}

/** Returns the cost of a hash; null without a hash, or if it is not one of bcrypt. */
function costOf(passwordHash: string | null): number | null {
  const cost = Number(passwordHash?.split('$')[2]);
  return cost >= 4 ? cost : null;
}
