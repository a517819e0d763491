import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error';

/** Above the highest id of any system: surely nobody's. */
const NOBODY_PID = '2147483646';

/**
 * Stops a server that outlived the process that ran it (kill -9). The caller holds the lock of DATA_DIR, so a server on the
 * folder has no living owner. It is stopped and not adopted: what starts anew is a child, whose end is noticed.
 *
 * @param folder the database's folder
 * @returns whether there was one
 * @throws EmbeddedPostgresError when it does not end
 */
export async function stopOrphan(folder: string): Promise<boolean> {
  const file = path.join(folder, 'postmaster.pid');
  const pid = readPid(file);
  if (pid === null) return false;
  if (!runsOn(pid, folder)) {
    disownPidFile(file, pid);
    return false;
  }
  // SIGINT: fast shutdown; SIGQUIT: at once, with recovery at the next start.
  for (const [signal, deadlineMs] of [
    ['SIGINT', 8000],
    ['SIGQUIT', 6000],
    ['SIGKILL', 2000],
  ] as const) {
    process.kill(pid, signal);
    for (const end = performance.now() + deadlineMs; performance.now() < end; await sleep(20)) {
      if (!runsOn(pid, folder)) return true;
    }
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR: an earlier PostgreSQL (process ${pid}) on ${folder} does not end: stop it.`,
  );
}

function readPid(file: string): number | null {
  try {
    const pid = Number.parseInt(fs.readFileSync(file, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** By its command line, which names the folder; an ended process that nobody has collected yet has none. */
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
 * A restarted machine or container may give the id in the file to another program; PostgreSQL would take that for a live
 * server and refuse. Only the id is replaced: by the rest of the file PostgreSQL finds workers that are still alive.
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
