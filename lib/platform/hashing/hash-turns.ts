import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Piscina } from 'piscina';
import type { ClientInfo } from '@/lib/platform/client-info';
import { AppError } from '@/lib/platform/errors';
import { once, setOnce } from '@/lib/platform/globals';
import { clientSite } from '@/lib/platform/net/client-network';
import { isAlone, Pace, type PaceLimits } from '@/lib/platform/pace';
import { TenantSemaphore } from '@/lib/platform/tenant-semaphore';

/*
 * Two for each core, slightly below normal priority, hold both bounds on two cores (`npm run bench -- sign-in`): the p95 of other requests
 * rises to 2.2 times at most, and 8 sign-ins at once take 1.8 s while two other processes keep the CPU busy. With one thread for
 * each core the sign-ins take 2.1 s; at niceness 5 they take 2.5 s, at 10 5.6 s; at normal priority others wait up to a second.
 */
/** Threads that hash passwords. */
export const HASH_THREADS = Math.min(8, 2 * availableParallelism());
const IDLE_TIMEOUT_MS = 30_000;

/** Threads start with the first password and end when idle, so an idle process has none. */
function hashThreads(): Piscina {
  return once('hash-threads', () => {
    return new Piscina({
      // Not import.meta.url: this module is bundled elsewhere, and every process runs in the project's folder.
      filename: path.join(process.cwd(), 'lib/platform/hashing/bcrypt-worker.mjs'),
      minThreads: 0,
      maxThreads: HASH_THREADS,
      idleTimeout: IDLE_TIMEOUT_MS,
      execArgv: [],
      env: {},
    });
  });
}

/** Runs a function of bcrypt-worker.mjs on one of the threads. */
export function runOnThread<T>(name: 'hash' | 'compare', task: object): Promise<T> {
  return hashThreads().run(task, { name });
}

/** Ends the threads. For shutdown and tests. */
export async function endThreads(): Promise<void> {
  const held = once<Piscina | null>('hash-threads', () => null);
  setOnce('hash-threads', undefined);
  await held?.destroy();
}

/** Time in the queue. The hash then takes up to 2 s on a busy machine, and a response is due within 5 s. */
const QUEUE_TIMEOUT_MS = 3_000;
/** Only bounds memory: most requests reach the deadline long before. */
const WAITING_PER_THREAD = 32;
const RETRY_AFTER_SECONDS = 5;
/** One is left for people who sign in where they have signed in before, however many networks guess. */
const STRANGER_THREADS = Math.max(1, HASH_THREADS - 1);
/** Half of the cores, while the process works for others too: threads take processor time from the thread of all requests. */
const PACE: PaceLimits = { perSecond: 500 * availableParallelism(), burst: 4_000 };

/** How long a request waits to hash its passwords. One instance for all passwords of a request. */
export interface HashDeadline {
  /** The address of the client, or its IPv6 network. Clients are served round robin. */
  client: string;
  /** Whether the account has been used from there before. All other clients share the turns of one. */
  isFamiliar: boolean;
  /** Aborts when the client disconnects, or at the deadline. */
  signal: AbortSignal;
}

/** Starts the deadline of a request. @param isFamiliar whether the account is known to be used by this client */
export function startHashDeadline({ ipAddress, disconnectSignal }: ClientInfo, isFamiliar = false): HashDeadline {
  const timeout = AbortSignal.timeout(QUEUE_TIMEOUT_MS);
  return {
    client: ipAddress === null ? 'unknown' : clientSite(ipAddress),
    isFamiliar,
    signal: disconnectSignal === undefined ? timeout : AbortSignal.any([timeout, disconnectSignal()]),
  };
}

/**
 * Runs a hashing job when it is the client's turn.
 *
 * @param kind 'new' for a new password. These may use half of the places: creating accounts in bulk must not keep people
 *   from signing in.
 * @throws AppError overloaded when too many wait, at the deadline, or when the client disconnects
 */
export async function takeTurn<T>(
  kind: 'new' | 'known',
  { client, isFamiliar, signal }: HashDeadline,
  job: () => Promise<T>,
): Promise<T> {
  const turns = hashTurns();
  if (kind === 'new' && turns.newOnes >= turns.mostNewOnes) throw overloaded();
  if (kind === 'new') turns.newOnes += 1;
  try {
    const release = await turns.semaphore.acquire({ tenant: client, isStranger: !isFamiliar }, signal).catch(() => {
      throw overloaded();
    });
    return await job().finally(release);
  } finally {
    if (kind === 'new') turns.newOnes -= 1;
  }
}

/** Forgets the queue. For shutdown and tests, when nothing waits. */
export function forgetTurns(): void {
  setOnce('hash-turns', undefined);
}

function hashTurns() {
  return once('hash-turns', () => {
    const waiting = HASH_THREADS * WAITING_PER_THREAD;
    return {
      newOnes: 0,
      mostNewOnes: Math.ceil((waiting + HASH_THREADS) / 2),
      semaphore: new TenantSemaphore(
        // One client may use all threads: behind a proxy that is not in TRUSTED_PROXIES, all people share an address.
        {
          width: HASH_THREADS,
          widthPerTenant: HASH_THREADS,
          waiting,
          waitingPerTenant: Math.ceil((waiting * 3) / 4),
        },
        { width: STRANGER_THREADS, widthPerTenant: STRANGER_THREADS },
        new Pace(PACE, isAlone),
      ),
    };
  });
}

function overloaded(): AppError {
  return new AppError('overloaded', 'Too many sign-ins at once. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
