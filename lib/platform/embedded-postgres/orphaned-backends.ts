import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 5000;

/**
 * Ends the processes of a server whose main process was killed. An idle one ends by itself, but one that runs a statement
 * continues until the statement ends, and no server starts while one of them shares its memory. Nothing is lost: the next
 * start recovers from the log, and no client is left to receive a commit.
 *
 * Linux only. Elsewhere processes cannot be matched to a folder; the server starts there once the last statement has ended.
 *
 * @param folder the database's folder, without a running server
 */
export async function endOrphanedBackends(folder: string): Promise<void> {
  for (const end = performance.now() + DEADLINE_MS; performance.now() < end; await sleep(20)) {
    const pids = listBackends(folder);
    if (pids.length === 0) return;
    for (const pid of pids) killIfThere(pid);
  }
}

/** Finds them by process title, and by working folder, which is the database's. */
function listBackends(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  const home = fs.realpathSync(folder);
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isBackend(pid, home));
}

function isBackend(pid: number, home: string): boolean {
  try {
    if (!fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: ')) return false;
    return fs.readlinkSync(`/proc/${pid}/cwd`) === home;
  } catch {
    // The process has ended, or belongs to another user.
    return false;
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
