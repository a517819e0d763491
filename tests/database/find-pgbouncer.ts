import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The name of the package in Debian and Ubuntu. npm has no PgBouncer. */
const PACKAGE = 'pgbouncer';
/** The libraries that a system may lack. The names of their packages differ between releases. */
const LIBRARY_PACKAGE = /^\s*Depends: (lib(?:event|c-?ares)\S*)$/gm;
const ADVICE = 'Install it: "apt-get install pgbouncer", or "brew install pgbouncer".';

/** A program and the folders of its libraries, for LD_LIBRARY_PATH; empty for those of the system. */
export interface PgBouncerProgram {
  program: string;
  libraries: string;
}

/**
 * Returns the path of PgBouncer: that of the system, else that which an earlier run unpacked from packages of Debian, else it
 * unpacks them.
 *
 * @throws Error with the command to install it
 */
export function findPgBouncer(): PgBouncerProgram {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  const installed = folders.map((folder) => path.join(folder, 'pgbouncer')).find((file) => fs.existsSync(file));
  const found = installed === undefined ? null : { program: installed, libraries: '' };
  if (found !== null && runs(found)) return found;
  const kept = path.join(os.homedir(), '.cache', 'event-delivery-service', 'pgbouncer');
  if (!runs(programIn(kept))) unpackPackages(kept);
  const unpacked = programIn(kept);
  if (runs(unpacked)) return unpacked;
  throw new Error(`PgBouncer is missing. ${ADVICE}`);
}

function programIn(folder: string): PgBouncerProgram {
  const library = path.join(folder, 'usr', 'lib');
  const folders = fs.existsSync(library) ? fs.readdirSync(library).map((name) => path.join(library, name)) : [];
  return { program: path.join(folder, 'usr', 'sbin', 'pgbouncer'), libraries: folders.join(':') };
}

/** Whether it starts: the loader then finds each of its libraries. */
function runs({ program, libraries }: PgBouncerProgram): boolean {
  const env = { ...process.env, ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }) };
  return spawnSync(program, ['--version'], { env }).status === 0;
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
