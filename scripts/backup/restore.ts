import fs from 'node:fs';
import path from 'node:path';
import { checkMigrations, loadBackup } from '@/lib/platform/backup/load-backup';
import { BackupError, fingerprintsOf, type Manifest } from '@/lib/platform/backup/manifest';
import { type BackupContent, readBackup } from '@/lib/platform/backup/read-backup';
import { parseConfig } from '@/lib/platform/config/config';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import { stopOrphan } from '@/lib/platform/embedded-postgres/orphan';
import { APP_NAME } from '@/lib/platform/embedded-postgres/settings';
import { flushFolder, writePrivateJson } from '@/lib/platform/private-file';
import { acquireDataDir, RESTORING } from '@/scripts/start/data-dir';
import { StartupError } from '@/scripts/start/startup-error.mjs';
import { abortOnSignals, asStartupError } from './command';
import { sayDone, sayNotice, withProgress } from './show-progress';

/** Nobody else reads the database yet, and a crash discards it. */
const SETTINGS = { autovacuum: 'off', synchronous_commit: 'off', max_wal_size: '2GB' };
const MIGRATIONS = path.resolve('prisma/migrations');
/** In this order: the database comes last. */
const RESTORED = ['secrets.json', 'postgres.json', 'postgres'];

/**
 * Checks a backup from its first to its last byte, and restores it into DATA_DIR, which must be empty. The folder `restoring` is
 * there from the first change to the last, and `npm start` refuses a DATA_DIR that has it: a restore that was killed never starts.
 *
 * @throws StartupError, BackupError, ConfigError, EmbeddedPostgresError with a line for the operator
 */
export async function restore(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = path.resolve(parseConfig(env).DATA_DIR);
  if (!fs.existsSync(file)) throw new StartupError(`${file} does not exist.`);
  requireEmpty(dataDir, RESTORED);
  const signal = abortOnSignals();
  try {
    await restoreInto(dataDir, file, { env, signal });
  } catch (error) {
    if (!signal.aborted) throw asStartupError(error);
    sayNotice('Stopped. Nothing was restored.');
  }
}

async function restoreInto(
  dataDir: string,
  file: string,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<void> {
  const content = await withProgress('Checking the backup', (onProgress) => readBackup(file, { onProgress, signal }));
  checkMigrations(content.manifest, MIGRATIONS);
  checkKeys(content, env);
  signal.throwIfAborted();
  await acquireDataDir(dataDir, 'a restore', signal);
  requireEmpty(dataDir, RESTORED);
  await clearInterrupted(dataDir, RESTORED);
  const folder = path.join(dataDir, RESTORING);
  // As DATA_DIR itself: PostgreSQL may run as another user, who must traverse it.
  fs.mkdirSync(folder, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  flushFolder(dataDir);
  try {
    await fill(folder, file, content, signal);
  } catch (error) {
    await clearInterrupted(dataDir, RESTORED);
    throw error;
  }
  moveInto(dataDir, folder);
  report(dataDir, content, env);
}

async function fill(folder: string, file: string, content: BackupContent, signal: AbortSignal): Promise<void> {
  const cluster = await prepareCluster({ dataDir: folder, settings: SETTINGS, onNotice: sayNotice });
  const server = cluster.start();
  // A stopped server fails the statement under way.
  signal.addEventListener('abort', () => server.kill());
  const ended = server.exited.then(({ lastLine }) => {
    throw new StartupError(`PostgreSQL ended: ${lastLine}`);
  });
  ended.catch(() => undefined);
  try {
    await Promise.race([server.ready, ended]);
    const adminUrl = Object.assign(new URL(cluster.adminUrl), { pathname: `/${APP_NAME}` }).href;
    const database = { databaseUrl: cluster.databaseUrl, adminUrl };
    await withProgress('Restoring', (onProgress) =>
      loadBackup(file, content.manifest, database, { folder: MIGRATIONS, onProgress }),
    );
    signal.throwIfAborted();
  } finally {
    server.stop();
    await server.exited;
  }
  if (content.secrets !== null) writePrivateJson(path.join(folder, 'secrets.json'), JSON.parse(content.secrets));
  flushFolder(folder);
}

function moveInto(dataDir: string, folder: string): void {
  for (const name of RESTORED) {
    if (fs.existsSync(path.join(folder, name))) fs.renameSync(path.join(folder, name), path.join(dataDir, name));
  }
  flushFolder(dataDir);
  fs.rmSync(folder, { recursive: true });
  flushFolder(dataDir);
}

/** @throws BackupError when the service could not decrypt what it restores */
function checkKeys({ manifest, secrets }: BackupContent, env: NodeJS.ProcessEnv): void {
  const given = (env.ENCRYPTION_KEY ?? '').trim();
  const used = fingerprintsOf(given || (secrets === null ? '' : JSON.parse(secrets).ENCRYPTION_KEY));
  const isSetElsewhere = manifest.encryptionKeys.length === 0 && used.length === 0;
  if (!isSetElsewhere && manifest.encryptionKeys.every((key) => used.includes(key))) return;
  const fault = given === '' ? 'the backup does not contain it' : 'it is not the one of the backup';
  throw new BackupError(`ENCRYPTION_KEY: ${fault}: set it to the value that was in use when the backup was made.`);
}

function report(dataDir: string, { manifest, secrets }: BackupContent, env: NodeJS.ProcessEnv): void {
  const rows = manifest.tables.reduce((sum: number, table: Manifest['tables'][number]) => sum + table.rows, 0);
  sayDone(`Restored ${rows} rows of ${manifest.tables.length} tables from ${manifest.createdAt} into ${dataDir}`);
  const hasSecret = (env.AUTH_SECRET ?? '').trim() !== '' || (secrets !== null && 'AUTH_SECRET' in JSON.parse(secrets));
  if (!hasSecret)
    sayNotice('AUTH_SECRET is not in the backup: set it, or npm start makes a new one and people sign in again.');
  sayDone('Start it with: npm start');
}

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
