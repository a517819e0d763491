import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The name of the package in Debian and Ubuntu. npm has no PgBouncer. */
const PACKAGE = 'pgbouncer';
/** The libraries that a system may lack. The names of their packages differ between releases. */
const LIBRARY_PACKAGE = /^\s*Depends: (lib(?:event|c-?ares)\S*)$/gm;
const ADVICE = 'Install it: "apt-get install pgbouncer", or "brew install pgbouncer".';

/**
 * Returns the path of PgBouncer: that of the system, else that which an earlier run unpacked from packages of Debian, else it
 * unpacks them.
 *
 * @throws Error with the command to install it
 */
export function findPgBouncer(): string {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  const installed = folders.map((folder) => path.join(folder, 'pgbouncer')).find((file) => fs.existsSync(file));
  if (installed !== undefined && runs(installed)) return installed;
  const kept = path.join(os.homedir(), '.cache', 'event-delivery-service', 'pgbouncer');
  if (!runs(makeLauncher(kept))) unpackPackages(kept);
  const launcher = makeLauncher(kept);
  if (runs(launcher)) return launcher;
  throw new Error(`PgBouncer is missing. ${ADVICE}`);
}

/** Makes a script that starts the unpacked program with the unpacked libraries, for users whose environment names none. */
function makeLauncher(folder: string): string {
  const launcher = path.join(folder, 'start');
  const library = path.join(folder, 'usr', 'lib');
  if (!fs.existsSync(library)) return launcher;
  const libraries = fs.readdirSync(library).map((name) => path.join(library, name));
  const script = `#!/bin/sh\nLD_LIBRARY_PATH='${libraries.join(':')}' exec '${path.join(folder, 'usr', 'sbin', 'pgbouncer')}' "$@"\n`;
  // Another process may run the script now, so that it must not be written in place.
  const draft = `${launcher}.${process.pid}`;
  fs.writeFileSync(draft, script, { mode: 0o755 });
  fs.renameSync(draft, launcher);
  return launcher;
}

/** Whether it starts: the loader then finds each of its libraries. */
function runs(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

function unpackPackages(folder: string): void {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const downloads = fs.mkdtempSync(path.join(os.tmpdir(), 'event-delivery-test-'));
  try {
    try {
      downloadPackages(downloads);
    } catch {
      // A fresh machine or image has no lists of packages.
      execFileSync('apt-get', ['update'], { stdio: ['ignore', 'pipe', 'pipe'] });
      downloadPackages(downloads);
    }
    const whole = `${folder}.${process.pid}`;
    for (const file of fs.readdirSync(downloads)) {
      execFileSync('dpkg', ['-x', path.join(downloads, file), whole], { stdio: ['ignore', 'pipe', 'pipe'] });
    }
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(whole, folder);
  } catch (error) {
    throw new Error(`PgBouncer is missing, and could not be taken from Debian. ${ADVICE}`, { cause: error });
  } finally {
    fs.rmSync(downloads, { recursive: true, force: true });
  }
}

function downloadPackages(folder: string): void {
  const depends = execFileSync('apt-cache', ['depends', PACKAGE], { encoding: 'utf8' });
  const libraries = [...depends.matchAll(LIBRARY_PACKAGE)].map(([, name = '']) => name);
  execFileSync('apt-get', ['download', PACKAGE, ...libraries], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
}
