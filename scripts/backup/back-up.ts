import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fingerprintsOf, type Manifest } from '@/lib/platform/backup/manifest';
import { readBackup } from '@/lib/platform/backup/read-backup';
import { writeBackup } from '@/lib/platform/backup/write-backup';
import { parseConfig } from '@/lib/platform/config/config';
import { flushFolder } from '@/lib/platform/private-file';
import { withEmbeddedDatabase } from '@/scripts/start/embedded-database';
import { StartupError } from '@/scripts/start/startup-error.mjs';
import { abortOnSignals, asStartupError } from './command';
import { sayDone, sayNotice, withProgress } from './show-progress';

const SECRETS = ['ENCRYPTION_KEY', 'AUTH_SECRET'] as const;

/**
 * Writes a backup of DATA_DIR's database to a new file, reads it back, and only then gives it its name.
 * @throws StartupError, BackupError, ConfigError with a line for the operator
 */
export async function backUp(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = path.resolve(parseConfig(env).DATA_DIR);
  if (fs.existsSync(file)) throw new StartupError(`${file} exists: name a new file.`);
  if (!fs.existsSync(path.dirname(file)))
    throw new StartupError(`${path.dirname(file)} does not exist: create it first.`);
  const signal = abortOnSignals();
  const unfinished = `${file}.unfinished-${randomBytes(4).toString('hex')}`;
  try {
    const manifest = await withEmbeddedDatabase(dataDir, 'a backup', (databaseUrl) =>
      write(unfinished, { dataDir, databaseUrl, env, signal }),
    );
    await withProgress('Reading the backup back', (onProgress) => readBackup(unfinished, { onProgress, signal }));
    signal.throwIfAborted();
    publishFile(unfinished, file);
    report(file, manifest, readSecrets(dataDir));
  } catch (error) {
    if (!signal.aborted) throw asStartupError(error);
    sayNotice('Stopped. No backup was made.');
  } finally {
    fs.rmSync(unfinished, { force: true });
  }
}

interface Run {
  dataDir: string;
  databaseUrl: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

async function write(unfinished: string, { dataDir, databaseUrl, env, signal }: Run): Promise<Manifest> {
  const secrets = readSecrets(dataDir);
  const key = (env.ENCRYPTION_KEY ?? '').trim() || secretsOf(secrets).ENCRYPTION_KEY;
  const source = { databaseUrl, secrets, encryptionKeys: fingerprintsOf(key) };
  return withProgress('Backing up', (onProgress) => writeBackup(unfinished, source, { onProgress, signal }));
}

function report(file: string, { tables }: Manifest, secrets: string | null): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const megabytes = (fs.statSync(file).size / 1024 / 1024).toFixed(1);
  sayDone(`Backed up ${rows} rows of ${tables.length} tables to ${file} (${megabytes} MB), and checked it`);
  const contained = SECRETS.filter((name) => secretsOf(secrets)[name] !== undefined);
  const missing = SECRETS.filter((name) => !contained.includes(name));
  if (contained.length > 0)
    sayNotice(`It contains ${contained.join(' and ')}: whoever reads it can read every stored secret.`);
  if (missing.length > 0) {
    sayNotice(`It does not contain ${missing.join(' and ')}, which you set yourself: keep the value with it.`);
  }
}

function readSecrets(dataDir: string): string | null {
  const file = path.join(dataDir, 'secrets.json');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
}

function secretsOf(text: string | null): Partial<Record<(typeof SECRETS)[number], string>> {
  return text === null ? {} : JSON.parse(text);
}

/** A file system without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Gives a complete, flushed file its final name, unless that is taken. `rename` would replace what has it.
 * @throws StartupError when the name is taken
 */
export function publishFile(unfinished: string, file: string): void {
  try {
    fs.linkSync(unfinished, file);
    fs.rmSync(unfinished);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (NO_LINKS.includes(code) && fs.existsSync(file))) {
      throw new StartupError(`${file} exists: name a new file.`);
    }
    if (!NO_LINKS.includes(code)) throw error;
    fs.renameSync(unfinished, file);
  }
  flushFolder(path.dirname(file));
}
