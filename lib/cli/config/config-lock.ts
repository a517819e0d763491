import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '@/lib/cli/cli-error';
import { runCritical } from '@/lib/cli/stop';
import { notWritable, prepareFolder } from './json-file';

const POLL_MS = 25;
/** Longer than a request may take. */
const WAIT_MS = 60_000;

/**
 * Runs a change of the configuration while no other command changes it. The lock is gone when its holder is, however it ends.
 * @throws CliError when the folder cannot be written, or another command does not end
 */
export async function withConfigLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  prepareFolder(folder);
  const lock = await takeLock(folder);
  try {
    return await runCritical(work);
  } finally {
    lock.release();
  }
}

async function takeLock(folder: string): Promise<{ release(): void }> {
  for (const deadline = performance.now() + WAIT_MS; ; await sleep(POLL_MS)) {
    const lock = await tryLock(folder);
    if ('release' in lock) return lock;
    if (performance.now() > deadline) throw busy(lock.heldBy);
  }
}

async function tryLock(folder: string) {
  // It loads node:crypto, which most commands can do without.
  const { acquireLock } = await import('@/lib/platform/process-lock.mjs');
  try {
    return await acquireLock(path.join(folder, 'lock'), () => `process ${process.pid}`);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

function busy(holder: string): CliError {
  return new CliError('Another eds command has been changing the configuration for a minute.', 'busy', {
    // A stopped process (Ctrl-Z) does not answer.
    reason: holder === '' ? 'It isn’t responding. It may be suspended.' : `It is ${holder}.`,
    next: 'End that command, then try again.',
  });
}
