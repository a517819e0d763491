import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Piscina } from 'piscina';
import { once, setOnce } from '@/lib/platform/globals';

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
