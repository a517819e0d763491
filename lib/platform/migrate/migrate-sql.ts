import { listCellNames, setSearchPath } from '@/lib/platform/cells/cells-sql';
import { searchPathOf } from '@/lib/platform/cells/current-cell';
import { findCitus } from '@/lib/platform/cells/distribute-sql';
import { MIGRATION_STATEMENT_MS } from '@/lib/platform/database-limits';
import type { Sql } from '@/lib/platform/db';
import { bigint, boolean, nullable, text, timestamp, uuid, varchar } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import type { Migration } from './migrations';
import { splitStatements } from './split-statements';

/** Reads the server's version, as a number and as text. */
export const readServerVersion = statement(
  "SELECT current_setting('server_version_num') AS server_version_num, current_setting('server_version') AS server_version",
  { columns: { server_version_num: text, server_version: text } },
);

/** Takes an advisory lock, unless another connection has it. */
export const tryLock = statement('SELECT pg_try_advisory_lock($id) AS taken', {
  params: { id: bigint },
  columns: { taken: boolean },
});

/** Begins a transaction. */
export async function begin(client: Sql): Promise<void> {
  await client.query('BEGIN');
}

/** Commits. */
export async function commit(client: Sql): Promise<void> {
  await client.query('COMMIT');
}

/** Creates the table of applied migrations. Identical to Prisma's own: its tools read and extend the same history. */
export const createHistory = statement(`
  CREATE TABLE IF NOT EXISTS public._prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`);

/** Lists the applied migrations, oldest first. */
export const listApplied = statement(
  `SELECT migration_name, checksum, finished_at FROM public._prisma_migrations
   WHERE rolled_back_at IS NULL ORDER BY started_at`,
  { columns: { migration_name: varchar, checksum: varchar, finished_at: nullable(timestamp) } },
);

export type AppliedMigration = RowOf<typeof listApplied.columns>;

/** Records a migration as applied. */
export const recordMigration = statement(
  `
  INSERT INTO public._prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
  VALUES (gen_random_uuid()::text, $checksum, clock_timestamp(), $name, now(), 1)`,
  { params: { checksum: varchar, name: varchar } },
);

/** Runs the script of a migration, then that for each cell, and records it, in one transaction. */
export async function runMigration(client: Sql, { name, sql, cellSql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    // While a migration waits for a lock, all later queries on the table wait too.
    await client.query(`SET LOCAL lock_timeout = '30s'; SET LOCAL statement_timeout = ${MIGRATION_STATEMENT_MS}`);
    const isOnCitus = (await findCitus.one(client)).has_citus === true;
    const run = async (script: string) => {
      for (const each of isOnCitus ? splitStatements(script) : [script]) await client.query(each);
    };
    await run(sql);
    const cells = cellSql === null ? [] : await listCellNames.all(client);
    for (const cell of cells) {
      await setSearchPath(client, searchPathOf(cell.name));
      await run(cellSql ?? '');
    }
    await recordMigration.run(client, { checksum, name });
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Finds whether the database knows moves of organizations between cells. */
export const knowsMoves = statement(`SELECT to_regclass('public.cell_moves') IS NOT NULL AS known`, {
  columns: { known: nullable(boolean) },
});

/** Finds a move that has not ended. */
export const findMoveUnderWay = statement('SELECT organization_id FROM public.cell_moves LIMIT 1', {
  columns: { organization_id: uuid },
});
