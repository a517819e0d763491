import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 5000;

/**
 * Ends the processes of a server whose main process was killed. An idle one ends by itself, but one in the middle of a
 * statement runs on until the statement ends, and a server does not start while one of them shares its memory. Nothing is
 * lost: the next start recovers from the log, and nobody is left to hear of a commit.
 *
 * Linux only. Elsewhere no process can be matched to a folder; there the server starts once the last statement has ended.
 *
 * @param folder the database's folder, on which no server runs
 */
export async function endLeftBackends(folder: string): Promise<void> {
  for (const end = performance.now() + DEADLINE_MS; performance.now() < end; await sleep(20)) {
    const pids = listBackends(folder);
    if (pids.length === 0) return;
    for (const pid of pids) killIfThere(pid);
  }
}

/** By their working folder, which is the database's, and the title that each gives itself. */
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
    // It has ended meanwhile, or it belongs to somebody else.
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
