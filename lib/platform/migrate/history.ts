import type { DatabaseClient } from '@/lib/platform/database-client';
import { MIGRATION_STATEMENT_MS, STATEMENT_MS } from '@/lib/platform/database-limits';
import { MigrationError } from './migration-error';
import type { Migration } from './migrations';

interface HistoryRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** Identical to Prisma's own table: its tools read and extend the same history. */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS public._prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

const HISTORY = `
  SELECT migration_name, checksum, finished_at FROM public._prisma_migrations
  WHERE rolled_back_at IS NULL ORDER BY started_at`;

const RECORD = `
  INSERT INTO public._prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
  VALUES (gen_random_uuid()::text, $1, clock_timestamp(), $2, now(), 1)`;

/**
 * Returns the migrations that the database does not have.
 *
 * @throws MigrationError when the history of the database does not match these files
 */
export async function findPending(client: DatabaseClient, migrations: Migration[]): Promise<Migration[]> {
  await client.query(CREATE_TABLE);
  const { rows } = await client.query<HistoryRow>(HISTORY);
  const files = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) checkRow(row, files.get(row.migration_name));
  const applied = new Set(rows.map((row) => row.migration_name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

function checkRow(row: HistoryRow, file: Migration | undefined): void {
  const name = row.migration_name;
  if (row.finished_at === null) {
    throw new MigrationError(
      `Migration ${name} was started by another tool and did not finish: repair the database, then delete its row in _prisma_migrations.`,
    );
  }
  if (file === undefined) {
    throw new MigrationError(
      `The database has migration ${name}, which this version does not know: run the newer version.`,
    );
  }
  if (file.checksum !== row.checksum) {
    throw new MigrationError(
      `Migration ${name} was edited after it was applied: restore the file, and make the change in a new migration.`,
    );
  }
}

/** Applies and records one migration in one transaction. @throws MigrationError */
export async function applyMigration(client: DatabaseClient, migration: Migration): Promise<void> {
  client.statementMs = MIGRATION_STATEMENT_MS;
  try {
    await client.query('BEGIN');
    // While a migration waits for a lock, all later queries on the table wait too.
    await client.query(`SET LOCAL lock_timeout = '30s'; SET LOCAL statement_timeout = ${MIGRATION_STATEMENT_MS}`);
    await client.query(migration.sql);
    await client.query(RECORD, [migration.checksum, migration.name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
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
