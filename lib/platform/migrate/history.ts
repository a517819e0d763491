import type { DatabaseClient } from '@/lib/platform/database-client';
import { MIGRATION_STATEMENT_MS, STATEMENT_MS } from '@/lib/platform/database-limits';
import { type AppliedMigration, createHistory, listApplied, runMigration } from './migrate-sql';
import { MigrationError } from './migration-error';
import type { Migration } from './migrations';

/** The files compared with the history of a database. */
export interface HistoryState {
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
export async function compareHistory(client: DatabaseClient, migrations: Migration[]): Promise<HistoryState> {
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
export async function applyMigration(client: DatabaseClient, migration: Migration): Promise<void> {
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
