import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Piscina } from 'piscina';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { once, setOnce } from '@/lib/platform/globals';

/** Longest password bcrypt reads, in UTF-8 bytes: what follows is ignored, so nothing longer may ever match. */
export const PASSWORD_MAX_BYTES = 72;

// Leaves the event loop a core of its own. 32 waiting hashes a thread are some 12 s of work at cost 12: who comes later
// is better told so than kept waiting.
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
const MAX_UNDER_WAY = THREADS * 33;
/** New passwords may take half of the places: whoever makes accounts in masses must not keep people from signing in. */
const MAX_NEW_UNDER_WAY = Math.ceil(MAX_UNDER_WAY / 2);
const IDLE_TIMEOUT_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

/** Any 53 characters make a hash that no password has and that takes as long to compare with as a real one. */
const NOBODYS_SALT_AND_HASH = 'eI5xqVn0v1zqMkB7sYw2cuJm4Zr8tQp6LdX3hGfA9bNoRiSkTyWUe';

interface Hashing {
  threads: Piscina;
  underWay: number;
  newUnderWay: number;
}

/** Threads come with the first password and go when none has come for a while, so an idle process holds none. */
function hashing(): Hashing {
  return once('hashing', () => ({
    underWay: 0,
    newUnderWay: 0,
    threads: new Piscina({
      // Not import.meta.url: this module is bundled to other places, and every process runs in the project's folder.
      filename: path.join(process.cwd(), 'lib/platform/hashing/bcrypt-worker.mjs'),
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_TIMEOUT_MS,
      execArgv: [],
      env: {},
    }),
  }));
}

/**
 * Hashes a password of at most 72 bytes with bcrypt at AUTH_BCRYPT_COST, off the event loop.
 * @throws AppError overloaded when too many passwords are under way
 */
export async function hashPassword(password: string): Promise<string> {
  if (isTooLong(password)) throw new Error('a password longer than bcrypt reads was not refused');
  const state = hashing();
  if (state.newUnderWay >= MAX_NEW_UNDER_WAY) throw overloaded();
  state.newUnderWay += 1;
  return run<string>('hash', { password, cost: config().AUTH_BCRYPT_COST }).finally(() => {
    state.newUnderWay -= 1;
  });
}

/**
 * Whether the password has this hash. Without a hash (no such account, or one without a password) the answer is false
 * after the same work, so that the time tells nothing.
 * @throws AppError overloaded
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const { AUTH_BCRYPT_COST: cost } = config();
  const matches = await run<boolean>('compare', { password, against: passwordHash ?? nobodysHash(cost) });
  // A hash made at a lower cost takes less, and would tell that its account exists: 2^c + 2^c + 2^(c+1) + … = 2^cost.
  for (let missing = costOf(passwordHash) ?? cost; missing < cost; missing += 1) {
    await run<boolean>('compare', { password, against: nobodysHash(missing) });
  }
  return matches && passwordHash !== null && !isTooLong(password);
}

/** Whether a hash was made at another cost than AUTH_BCRYPT_COST, and so takes another time to compare with. */
export function isOutdatedHash(passwordHash: string): boolean {
  return costOf(passwordHash) !== config().AUTH_BCRYPT_COST;
}

/** Ends the threads. For shutdown and tests. */
export async function closeHashing(): Promise<void> {
  const held = once<Hashing | null>('hashing', () => null);
  setOnce('hashing', undefined);
  await held?.threads.destroy();
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > PASSWORD_MAX_BYTES;
}

function nobodysHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${NOBODYS_SALT_AND_HASH}`;
}

/** The cost a hash was made at; null when there is none, or it is no hash of bcrypt's. */
function costOf(passwordHash: string | null): number | null {
  const cost = Number(passwordHash?.split('$')[2]);
  return cost >= 4 ? cost : null;
}

function overloaded(): AppError {
  return new AppError('overloaded', 'Too many sign-ins at once. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

async function run<T>(name: 'hash' | 'compare', task: object): Promise<T> {
  const state = hashing();
  if (state.underWay >= MAX_UNDER_WAY) throw overloaded();
  state.underWay += 1;
  try {
    return await state.threads.run(task, { name });
  } finally {
    state.underWay -= 1;
  }
}
