import fs from 'node:fs';
import path from 'node:path';
import { stopOrphan } from '@/lib/platform/embedded-postgres/orphan';
import { RESTORING } from '@/scripts/start/restoring';
import { StartupError } from '@/scripts/start/startup-error.mjs';

/** The lock of `npm start`, whose files stay. */
const LOCK = /^start\.lock\./;

/**
 * Checks that a folder is missing, empty, or has only what an interrupted restore left.
 *
 * @param restored the names that a restore creates
 * @throws StartupError
 */
export function requireEmpty(folder: string, restored: string[]): void {
  if (!fs.existsSync(folder)) return;
  const names = fs.readdirSync(folder).filter((name) => !LOCK.test(name));
  const own = names.includes(RESTORING) ? [RESTORING, ...restored] : [];
  const foreign = names.filter((name) => !own.includes(name));
  if (foreign.length === 0) return;
  throw new StartupError(
    `DATA_DIR: ${folder} is not empty (${foreign[0]}): move it away, or set DATA_DIR to an empty folder.`,
  );
}

/** Removes what an interrupted restore left, and its database server if that still runs. The folder `restoring` goes last. */
export async function clearInterrupted(dataDir: string, restored: string[]): Promise<void> {
  const folder = path.join(dataDir, RESTORING);
  if (!fs.existsSync(folder)) return;
  await stopOrphan(path.join(folder, 'postgres'));
  for (const name of restored) fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  fs.rmSync(folder, { recursive: true, force: true });
}
