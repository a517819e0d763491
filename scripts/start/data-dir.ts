import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from './lock.mjs';
import { Refusal } from './refusal.mjs';

const STOPPING = 'stopping';
/** A little more than a stop is promised to take. */
const STOPPING_PATIENCE_MS = 12_000;

export interface DataDir {
  /** Absolute. */
  path: string;
  /** Whether the start before this one was killed and may have left processes that are still ending. */
  afterCrash: boolean;
}

/**
 * Makes DATA_DIR and takes it for this process, until it ends. One that is just stopping is waited for: npm returns to the
 * prompt before its script has ended.
 *
 * @param address where this start will be found, told to whoever comes second
 * @param stopping aborted when this start is stopping
 * @throws Refusal when another start has it, or it cannot be written to
 */
export async function takeDataDir(given: string, address: string, stopping: AbortSignal): Promise<DataDir> {
  const folder = path.resolve(given);
  const tell = () => (stopping.aborted ? STOPPING : `process ${process.pid}, ${address}`);
  try {
    // Root's database runs as another user, who has to pass through; nobody may list what is inside.
    fs.mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    for (const end = performance.now() + STOPPING_PATIENCE_MS; ; await sleep(100)) {
      const lock = await takeLock(path.join(folder, 'start.lock'), tell);
      if ('release' in lock) return { path: folder, afterCrash: lock.afterCrash };
      if (lock.heldBy !== STOPPING || performance.now() > end) throw inUse(folder, lock.heldBy);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Refusal(`DATA_DIR: ${folder} cannot be used: ${message}`);
  }
}

function inUse(folder: string, holder: string): Refusal {
  return new Refusal(
    `DATA_DIR: ${folder} is in use by another npm start (${holder}): stop that one, or set another DATA_DIR.`,
  );
}
