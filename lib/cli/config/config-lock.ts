import path from 'node:path';
import { CliError } from '@/lib/cli/cli-error';
import { waitForLock } from '@/lib/platform/process-lock.mjs';
import { notWritable, prepareFolder } from './json-file';

/**
 * Runs a change of the configuration while no other command changes it. The lock is gone when its holder is, however it ends.
 * @throws CliError when the folder cannot be written
 */
export async function withConfigLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  prepareFolder(folder);
  const lock = await takeLock(folder);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function takeLock(folder: string) {
  try {
    return await waitForLock(path.join(folder, 'lock'), () => undefined, 25);
  } catch (error) {
    throw error instanceof CliError ? error : notWritable(folder, error);
  }
}
