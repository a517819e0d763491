import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '@/lib/platform/make-folder';
import { acquireLock } from '@/lib/platform/process-lock.mjs';
import { StartupError } from './startup-error.mjs';

/** The folder in DATA_DIR that exists while a restore is under way. */
export const RESTORING = 'restoring';

/** @throws StartupError when a restore into DATA_DIR was interrupted: its database may be incomplete */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!fs.existsSync(path.join(dataDir, RESTORING))) return;
  throw new StartupError(`DATA_DIR: a restore into ${dataDir} did not finish: repeat npm run restore -- FILE.`);
}

const STOPPING = 'stopping';
/** A little longer than a stop may take. */
const STOPPING_PATIENCE_MS = 12_000;

export interface DataDir {
  /** Absolute. */
  path: string;
  /** Whether the previous start was killed and may have left processes that are still ending. */
  afterCrash: boolean;
}

/**
 * Creates DATA_DIR and locks it until this process ends. Waits for a start that is stopping: npm returns to the prompt
 * before its script has ended.
 *
 * @param address where this start will serve; a second start prints it
 * @param stopping aborted when this start is stopping
 * @throws StartupError when another start holds it, or it is not writable
 */
export async function acquireDataDir(given: string, address: string, stopping: AbortSignal): Promise<DataDir> {
  const folder = path.resolve(given);
  const tell = () => (stopping.aborted ? STOPPING : `process ${process.pid}, ${address}`);
  try {
    // Started by root, the database runs as another user, who must traverse the folder; nobody else may list it.
    makeFolder(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    for (const end = performance.now() + STOPPING_PATIENCE_MS; ; await sleep(100)) {
      const lock = await acquireLock(path.join(folder, 'start.lock'), tell);
      if ('release' in lock) return { path: folder, afterCrash: lock.afterCrash };
      if (lock.heldBy !== STOPPING || performance.now() > end) throw inUse(folder, lock.heldBy);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new StartupError(`DATA_DIR: ${folder} cannot be used: ${message}`);
  }
}

function inUse(folder: string, holder: string): StartupError {
  return new StartupError(
    `DATA_DIR: ${folder} is in use by another npm start (${holder}): stop that one, or set another DATA_DIR.`,
  );
}
