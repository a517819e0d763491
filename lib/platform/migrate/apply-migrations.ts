import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseClient } from '@/lib/platform/database-client';
import { findConnectionFault } from '@/lib/platform/database-connection-fault';
import { applyMigration, compareHistory } from './history';
import { readServerVersion, tryLock } from './migrate-sql';
import { MigrationError } from './migration-error';
import { MIGRATION_LOCK_ID, readMigrations } from './migrations';

const OLDEST_SERVER = 150_000;

interface MigrateOptions {
  /** The folder of the migrations; by default prisma/migrations below the working directory. */
  folder?: string;
  /** Only these; by default all. */
  names?: ReadonlySet<string>;
  /** How long to wait for another process that is migrating, in milliseconds. */
  lockWaitMs?: number;
  /** The variable with the URL, for errors. */
  variable?: string;
  /** Gets lines for the person at the terminal. */
  onNotice?: (line: string) => void;
}

/**
 * Brings a database to the schema of prisma/migrations. Safe to run at once from several processes.
 *
 * Files, order, checksums and table are Prisma's, but not the execution. Without a download, Prisma's schema engine uses
 * @prisma/adapter-pg, which splits a script at every semicolon, even inside functions, texts and comments, and runs the parts
 * on any connection of a pool: a failure leaves a partial migration. Here a migration and its record are one transaction, so
 * a crash leaves nothing to repair. See docs/decisions/005-migrations-are-applied-by-us.md.
 *
 * @returns the names of the migrations applied now
 * @throws MigrationError
 */
export async function applyMigrations(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const all = readMigrations(options.folder ?? path.resolve('prisma/migrations'));
  const migrations = all.filter(({ name }) => options.names?.has(name) ?? true);
  const client = await connect(databaseUrl, options.variable ?? 'DATABASE_URL');
  try {
    await takeLock(client, options.lockWaitMs ?? 120_000);
    const { pending, unknown } = await compareHistory(client, migrations);
    if (unknown.length > 0) options.onNotice?.(describeNewer(unknown));
    for (const migration of pending) await applyMigration(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}

function describeNewer(unknown: string[]): string {
  return `The database was migrated by a newer version (${unknown.at(-1)}): this version runs on it if it is the one before.`;
}

async function connect(databaseUrl: string, variable: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const refused = `${variable}: ${client.host}:${client.port} refused the connection: ${reasonOf(error)}`;
    throw new MigrationError(findConnectionFault(variable, databaseUrl, error) ?? refused);
  }
  const { server_version_num, server_version } = await readServerVersion.one(client);
  if (Number(server_version_num) < OLDEST_SERVER) {
    await client.end();
    throw new MigrationError(`${variable}: PostgreSQL ${server_version} is too old: 15 or newer is needed.`);
  }
  return client;
}

/** A refused connection to a name with several addresses is an AggregateError without a message. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

/** Polls for the lock: a statement that waits in the server would hold a snapshot. */
async function takeLock(client: DatabaseClient, waitMs: number): Promise<void> {
  for (const end = performance.now() + waitMs; ; await sleep(100)) {
    const { taken } = await tryLock.one(client, MIGRATION_LOCK_ID);
    if (taken) return;
    if (performance.now() > end) {
      throw new MigrationError(
        'Another process has been migrating this database for too long: end it, then try again.',
      );
    }
  }
}
