import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseClient } from '@/lib/platform/database-client';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { MIGRATION_STATEMENT_MS, SEARCH_PATH, STATEMENT_MS } from '@/lib/platform/database-limits';
import { describeOtherDatabase, findConnectionFault, isSameDatabase } from '@/lib/platform/database-settings';
import { oneLineOf } from '@/lib/platform/errors';
import {
  type AppliedMigration,
  begin,
  commit,
  createHistory,
  findMoveUnderWay,
  knowsMoves,
  listApplied,
  readServerVersion,
  runMigration,
  tryLock,
} from './migrate-sql';
import { MIGRATION_LOCK_ID, type Migration, MigrationError, readMigrations } from './migrations';

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
 * a crash leaves nothing to repair. See docs/decisions/051-expand-then-contract.md.
 *
 * @returns the names of the migrations applied now
 * @throws MigrationError
 */
export async function applyMigrations(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const all = readMigrations(options.folder ?? path.resolve('prisma/migrations'));
  const migrations = all.filter(({ name }) => options.names?.has(name) ?? true);
  return withMigrationLock(databaseUrl, options, async (client) => {
    const { pending, unknown } = await compareHistory(client, migrations);
    if (unknown.length > 0) options.onNotice?.(describeNewer(unknown));
    if (pending.length > 0) await refuseDuringMove(client);
    for (const migration of pending) await applyMigration(client, migration);
    return pending.map((migration) => migration.name);
  });
}

/** Runs work that no migration may meet, on a connection of its own to a server that is new enough. @throws MigrationError */
export async function withMigrationLock<T>(
  databaseUrl: string,
  { variable = 'DATABASE_URL', pooledUrl, lockWaitMs = 120_000 }: MigrateOptions,
  work: (client: DatabaseClient) => Promise<T>,
): Promise<T> {
  const client = await connect(databaseUrl, { variable });
  try {
    if (pooledUrl !== undefined) await refuseOtherDatabase(client, databaseUrl, pooledUrl);
    await takeLock(client, lockWaitMs);
    return await work(client);
  } catch (error) {
    if (error instanceof MigrationError || !isDatabaseUnreachable(error)) throw error;
    throw new MigrationError(`The database is unreachable: ${oneLineOf(error)}`);
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}

/** What was copied before a migration would lack what it adds. @throws MigrationError */
async function refuseDuringMove(client: DatabaseClient): Promise<void> {
  if ((await knowsMoves.one(client)).known !== true) return;
  const move = await findMoveUnderWay.first(client);
  if (move === undefined) return;
  throw new MigrationError(
    `Organization ${move.organization_id} moves to another cell: let that end, or go on with it by npm run cells -- move.`,
  );
}

function describeNewer(unknown: string[]): string {
  return `The database was migrated by a newer version (${unknown.at(-1)}): this version runs on it if it is the one before.`;
}

/** Polls for the lock: a statement that waits in the server would hold a snapshot. */
async function takeLock(client: DatabaseClient, waitMs: number): Promise<void> {
  for (const end = performance.now() + waitMs; ; await sleep(100)) {
    const { taken } = await tryLock.one(client, { id: MIGRATION_LOCK_ID });
    if (taken) return;
    if (performance.now() > end) {
      throw new MigrationError(
        'Another process has been migrating this database for too long: end it, then try again.',
      );
    }
  }
}

const OLDEST_SERVER = 150_000;

interface ConnectOptions {
  /** The variable with the URL, for errors. */
  variable: string;
  /** Whether it leads to a pooler. */
  isPooled?: boolean;
}

/** Opens a connection to a server that is new enough. @throws MigrationError */
async function connect(databaseUrl: string, { variable, isPooled = false }: ConnectOptions): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString: databaseUrl, isPooled, searchPath: SEARCH_PATH });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { server_version_num, server_version } = await readServerVersion.one(client);
    if (Number(server_version_num) >= OLDEST_SERVER) return client;
    throw new MigrationError(`${variable}: PostgreSQL ${server_version} is too old: 15 or newer is needed.`);
  } catch (error) {
    await client.end().catch(() => undefined);
    if (error instanceof MigrationError) throw error;
    // A pooler accepts the connection before it has one itself.
    const refused = `${variable}: ${client.host}:${client.port} refused the connection: ${reasonOf(error)}`;
    throw new MigrationError(findConnectionFault(variable, databaseUrl, error) ?? refused);
  }
}

/** A refused connection to a name with several addresses is an AggregateError without a message. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

/**
 * Refuses to migrate another database than the one that the parts use through a pooler.
 * @throws MigrationError, also when the pooler does not answer
 */
async function refuseOtherDatabase(direct: DatabaseClient, directUrl: string, pooledUrl: string): Promise<void> {
  const pooled = await connect(pooledUrl, { variable: 'DATABASE_URL', isPooled: true });
  try {
    await begin(direct);
    const isSame = await isSameDatabase(direct, pooled);
    await commit(direct);
    if (!isSame) throw new MigrationError(describeOtherDatabase(directUrl, pooledUrl));
  } finally {
    await pooled.end();
  }
}

/** The files compared with the history of a database. */
interface HistoryState {
  /** What the database does not have. */
  pending: Migration[];
  /** Names of migrations that the database has and these files do not: a newer version applied them. */
  unknown: string[];
}

/**
 * Compares the files with the history of the database. Unknown migrations alone are fine: a version runs on the schema of the
 * next one (docs/decisions/051-expand-then-contract.md). With pending ones beside them, no version has ever had this history.
 *
 * @throws MigrationError when the history of the database does not match these files
 */
async function compareHistory(client: DatabaseClient, migrations: Migration[]): Promise<HistoryState> {
  await createHistory.run(client);
  const rows = await listApplied.all(client);
  const files = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) checkRow(row, files.get(row.migration_name));
  const applied = new Set(rows.map((row) => row.migration_name));
  const pending = migrations.filter((migration) => !applied.has(migration.name));
  const unknown = [...applied].filter((name) => !files.has(name));
  if (pending.length > 0 && unknown.length > 0) {
    throw new MigrationError(
      `The database has migration ${unknown[0]}, which this version does not know, and lacks ${pending[0]?.name}: run the newer version.`,
    );
  }
  return { pending, unknown };
}

function checkRow(row: AppliedMigration, file: Migration | undefined): void {
  const name = row.migration_name;
  if (row.finished_at === null) {
    throw new MigrationError(
      `Migration ${name} was started by another tool and did not finish: repair the database, then delete its row in _prisma_migrations.`,
    );
  }
  if (file !== undefined && file.checksum !== row.checksum) {
    throw new MigrationError(
      `Migration ${name} was edited after it was applied: restore the file, and make the change in a new migration.`,
    );
  }
}

/** Applies and records one migration in one transaction. @throws MigrationError */
async function applyMigration(client: DatabaseClient, migration: Migration): Promise<void> {
  client.statementMs = MIGRATION_STATEMENT_MS;
  try {
    await runMigration(client, migration);
  } catch (error) {
    throw new MigrationError(`Migration ${migration.name} failed and was rolled back: ${faultOf(error, migration)}`);
  } finally {
    client.statementMs = STATEMENT_MS;
  }
}

function faultOf(error: unknown, { sql }: Migration): string {
  const { message, position } = error as Error & { position?: string };
  const line = position === undefined ? '' : ` (line ${sql.slice(0, Number(position)).split('\n').length})`;
  return `${message}${line}`;
}
