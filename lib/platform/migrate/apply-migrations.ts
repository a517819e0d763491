import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseClient } from '@/lib/platform/database-client';
import { connect, refuseOtherDatabase } from './connect';
import { applyMigration, compareHistory } from './history';
import { tryLock } from './migrate-sql';
import { MigrationError } from './migration-error';
import { MIGRATION_LOCK_ID, readMigrations } from './migrations';

interface MigrateOptions {
  /** The folder of the migrations; by default prisma/migrations below the working directory. */
  folder?: string;
  /** Only these; by default all. */
  names?: ReadonlySet<string>;
  /** How long to wait for another process that is migrating, in milliseconds. */
  lockWaitMs?: number;
  /** The variable with the URL, for errors. */
  variable?: string;
  /** The URL by which the parts reach this database through a pooler, if another. It must reach the same one. */
  pooledUrl?: string | undefined;
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
  const client = await connect(databaseUrl, { variable: options.variable ?? 'DATABASE_URL' });
  try {
    if (options.pooledUrl !== undefined) await refuseOtherDatabase(client, databaseUrl, options.pooledUrl);
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
