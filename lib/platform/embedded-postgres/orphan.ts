import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './settings';

/** Above the highest process id of any system. */
const NOBODY_PID = '2147483646';

/**
 * Stops a server that outlived its parent (kill -9), and removes the leftovers of a killed server. The caller holds the lock
 * of DATA_DIR, so no living process owns a server on the folder. The server is stopped and not adopted: a process notices
 * only the end of its own children.
 *
 * @param folder the database's folder
 * @returns whether there was such a server
 * @throws EmbeddedPostgresError when it does not end
 */
export async function stopOrphan(folder: string): Promise<boolean> {
  const pid = findServer(folder);
  if (pid !== null) await stopServer(pid, folder);
  await cleanUpAfterCrash(folder);
  return pid !== null;
}

/**
 * Removes what prevents a start after a server was killed. Does nothing after a clean shutdown, or while a server runs on
 * the folder.
 */
export async function cleanUpAfterCrash(folder: string): Promise<void> {
  const file = pidFile(folder);
  const pid = readPid(file);
  if (pid === null || runsOn(pid, folder)) return;
  await endOrphanedBackends(folder);
  removeSockets(folder);
  disownPidFile(file, pid);
}

/** The lock file of a socket names a process, which may be another one by now: the server would not start beside it. */
function removeSockets(folder: string): void {
  for (const name of fs.readdirSync(folder)) if (name.startsWith('.s.PGSQL.')) fs.rmSync(path.join(folder, name));
}

function findServer(folder: string): number | null {
  const pid = readPid(pidFile(folder));
  return pid !== null && runsOn(pid, folder) ? pid : null;
}

async function stopServer(pid: number, folder: string): Promise<void> {
  // SIGINT: fast shutdown; SIGQUIT: at once, with recovery at the next start.
  for (const [signal, deadlineMs] of [
    ['SIGINT', 8000],
    ['SIGQUIT', 6000],
    ['SIGKILL', 2000],
  ] as const) {
    process.kill(pid, signal);
    for (const end = performance.now() + deadlineMs; performance.now() < end; await sleep(20)) {
      if (!runsOn(pid, folder)) return;
    }
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR: an earlier PostgreSQL (process ${pid}) on ${folder} does not end: stop it.`,
  );
}

function pidFile(folder: string): string {
  return path.join(folder, 'postmaster.pid');
}

function readPid(file: string): number | null {
  try {
    const pid = Number.parseInt(fs.readFileSync(file, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** Checks the command line, which contains the folder and is empty once the process has ended. */
function runsOn(pid: number, folder: string): boolean {
  const line = commandLine(pid);
  return line.includes('postgres') && line.includes(folder);
}

function commandLine(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout ?? '';
  }
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/**
 * After a restart of the machine or container, the process id in the file may belong to another program. PostgreSQL would
 * take that for a running server and refuse to start. Only the id is replaced: PostgreSQL needs the rest of the file to find
 * processes that still share its memory.
 */
function disownPidFile(file: string, pid: number): void {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // No such process: PostgreSQL sees that itself.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
  }
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^\d+/, NOBODY_PID));
}

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
async function endOrphanedBackends(folder: string): Promise<void> {
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
