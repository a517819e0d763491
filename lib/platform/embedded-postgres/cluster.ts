import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Binaries, findBinaries } from './binaries';
import { type Credentials, loadCredentials } from './credentials';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { chooseIdentity, type Identity, runAs } from './identity';
import { stopOrphan } from './orphan';
import { type RunningServer, startServer } from './server';
import { APP_NAME, INITDB_FLAGS } from './settings';

export interface ClusterOptions {
  /** Absolute path of the folder that gets postgres/, postgres.json and postgres.log: DATA_DIR. */
  dataDir: string;
  /** Server settings that differ from SETTINGS. */
  settings?: Record<string, string>;
  /** What the person at the terminal should know, a line each. */
  onNotice?: (line: string) => void;
}

export interface Cluster {
  /** Of the service's role and database. */
  databaseUrl: string;
  /** Of the superuser, database "postgres". */
  adminUrl: string;
  /** Starts the server, a child of this process; again after it has ended. */
  start(): RunningServer;
}

/**
 * Makes the database in DATA_DIR/postgres ready to start: stops a server that outlived its owner, clears what an
 * interrupted initialisation left, initialises when there is none. One caller at a time: whoever holds DATA_DIR's lock.
 *
 * @throws EmbeddedPostgresError
 */
export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, onNotice = () => undefined } = options;
  const folder = path.join(dataDir, 'postgres');
  const binaries = findBinaries();
  const identity = chooseIdentity(binaries.postgres, dataDir, onNotice);
  if (await stopOrphan(folder)) onNotice('Stopped a PostgreSQL that an earlier start had left behind');
  clearLeftovers(dataDir, folder, onNotice);
  const credentials = await loadCredentials(dataDir, fs.existsSync(folder));
  if (!fs.existsSync(folder)) await initialise(folder, binaries, identity, credentials);
  checkFolder(folder, identity);
  return {
    databaseUrl: `postgresql://${APP_NAME}:${credentials.password}@127.0.0.1:${credentials.port}/${APP_NAME}`,
    adminUrl: adminUrl(credentials),
    start: () =>
      startServer({
        command: (args) => runAs(identity, binaries.postgres, ['-D', folder, ...args]),
        folder,
        logFile: path.join(dataDir, 'postgres.log'),
        adminUrl: adminUrl(credentials),
        credentials,
        settings: options.settings ?? {},
      }),
  };
}

function adminUrl({ adminPassword, port }: Credentials): string {
  return `postgresql://postgres:${adminPassword}@127.0.0.1:${port}/postgres`;
}

/** initdb works in a folder of its own name, so that one which was killed half-way never looks like a database. */
async function initialise(folder: string, binaries: Binaries, identity: Identity, { adminPassword }: Credentials) {
  const unfinished = `${folder}.new-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${unfinished}.password`;
  fs.writeFileSync(passwordFile, adminPassword, { mode: 0o600 });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  if (identity.uid !== undefined && identity.gid !== undefined) {
    fs.chownSync(passwordFile, identity.uid, identity.gid);
    fs.chownSync(unfinished, identity.uid, identity.gid);
  }
  try {
    await runInitdb(binaries, identity, ['-D', unfinished, `--pwfile=${passwordFile}`, ...INITDB_FLAGS]);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  fs.renameSync(unfinished, folder);
}

function runInitdb(binaries: Binaries, identity: Identity, args: string[]): Promise<void> {
  const [command, commandArgs, options] = runAs(identity, binaries.initdb, args);
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
    });
    const fail = (reason: string) =>
      reject(new EmbeddedPostgresError(`PostgreSQL cannot make its database: ${reason}`));
    child.on('error', (error) => fail(error.message));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else fail(errors.trim().split('\n').at(-1) ?? `exit code ${code}`);
    });
  });
}

/** Removes what killed initialisations left, and sets aside a folder that is no database: it may hold anything. */
function clearLeftovers(dataDir: string, folder: string, onNotice: (line: string) => void): void {
  for (const name of fs.readdirSync(dataDir).filter((entry) => entry.startsWith('postgres.new-'))) {
    // An initdb that survived its parent may still write there; it ends by itself, and its folder goes the next time.
    try {
      fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
  if (!fs.existsSync(folder) || fs.existsSync(path.join(folder, 'global', 'pg_control'))) return;
  const aside = `${folder}.incomplete-${Date.now()}`;
  fs.renameSync(folder, aside);
  onNotice(`${folder} was no complete database; it is kept as ${path.basename(aside)}`);
}

function checkFolder(folder: string, identity: Identity): void {
  const owner = fs.statSync(folder).uid;
  const own = identity.uid ?? process.getuid?.() ?? owner;
  if (owner !== own) {
    throw new EmbeddedPostgresError(
      `DATA_DIR: ${folder} belongs to another user (id ${owner}): run as that user, or choose another DATA_DIR.`,
    );
  }
}
