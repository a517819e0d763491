import type { ClientInfo } from '@/lib/platform/client-info';
import { AppError } from '@/lib/platform/errors';
import { FairGate } from '@/lib/platform/fair-gate';
import { once, setOnce } from '@/lib/platform/globals';
import { HASH_THREADS } from './hash-threads';

/** Queue time of a request; the hash itself then takes up to 2 s on a busy machine, and an answer is due within 5 s. */
const PATIENCE_MS = 3_000;
/** Bounds memory alone: the deadline refuses most of them long before. */
const WAITING_PER_THREAD = 32;
const RETRY_AFTER_SECONDS = 5;

/** For whom a password is hashed, and until when it is worth starting. One for all passwords of a request. */
export interface Patience {
  /** Clients take turns. */
  client: string;
  /** Aborts when the client hangs up or has waited long enough. */
  signal: AbortSignal;
}

/** What a request waits for its passwords, from now on. */
export function patienceOf({ ipAddress, disconnectSignal }: ClientInfo): Patience {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  return {
    client: ipAddress ?? 'unknown',
    signal: disconnectSignal === undefined ? deadline : AbortSignal.any([deadline, disconnectSignal()]),
  };
}

/**
 * Runs a job that hashes when it is its client's turn.
 *
 * @param kind 'new' for a new password. Those may hold half of the places: whoever creates accounts in masses must not
 *   keep people from signing in.
 * @throws AppError overloaded when too many wait, when patience ends, or when the client hangs up
 */
export async function takeTurn<T>(
  kind: 'new' | 'known',
  { client, signal }: Patience,
  job: () => Promise<T>,
): Promise<T> {
  const turns = hashTurns();
  if (kind === 'new' && turns.newOnes >= turns.mostNewOnes) throw overloaded();
  if (kind === 'new') turns.newOnes += 1;
  try {
    const leave = await turns.gate.enter(client, signal).catch(() => {
      throw overloaded();
    });
    return await job().finally(leave);
  } finally {
    if (kind === 'new') turns.newOnes -= 1;
  }
}

/** Forgets who waits. For shutdown and tests, when nobody does. */
export function forgetTurns(): void {
  setOnce('hash-turns', undefined);
}

function hashTurns() {
  return once('hash-turns', () => {
    const waiting = HASH_THREADS * WAITING_PER_THREAD;
    return {
      newOnes: 0,
      mostNewOnes: Math.ceil((waiting + HASH_THREADS) / 2),
      // Behind a proxy that is not declared all people share an address: one client may have every thread.
      gate: new FairGate({
        width: HASH_THREADS,
        widthPerTenant: HASH_THREADS,
        waiting,
        waitingPerTenant: Math.ceil((waiting * 3) / 4),
      }),
    };
  });
}

function overloaded(): AppError {
  return new AppError('overloaded', 'Too many sign-ins at once. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
