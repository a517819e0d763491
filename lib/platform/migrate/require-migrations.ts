import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { isDatabaseUnreachable, SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { findSettingsFault } from '@/lib/platform/database-settings';
import { database, type Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { exitForBadConfiguration } from '@/lib/platform/process';
import { listApplied } from './migrate-sql';
import { readMigrations } from './migrations';

/** How long a start waits for the answer, which takes a millisecond. */
const PATIENCE_MS = 2 * SECOND_MS;
const CHECK_AGAIN_MS = 5 * SECOND_MS;

/**
 * Ends the process with one line when the database lacks a migration of this version, with exit code 1, or when the settings of
 * its connections cannot work. Migrations that this version does not know are fine: each leaves the previous version running
 * (docs/decisions/051-expand-then-contract.md).
 *
 * A database that does not answer is checked when it does: parts start without one, and serve what they can.
 */
export async function requireMigrations(): Promise<void> {
  const settled = new AbortController();
  // Keeps the process alive: without a connection, nothing else does.
  const patience = sleep(PATIENCE_MS, undefined, { signal: settled.signal }).catch(() => undefined);
  await Promise.race([checkUntilSettled(), patience]);
  settled.abort();
}

async function checkUntilSettled(): Promise<void> {
  while (!(await endUnlessMigrated())) await sleep(CHECK_AGAIN_MS, undefined, { ref: false });
}

/** Returns whether the question is settled: false when the database does not answer. */
async function endUnlessMigrated(): Promise<boolean> {
  try {
    const settingsFault = await findSettingsFault();
    if (settingsFault !== null) exitForBadConfiguration(settingsFault);
    const fault = await findMigrationFault(database());
    if (fault === null) return true;
    process.stderr.write(`${fault}\n`);
    process.exit(1);
  } catch (error) {
    log().warn({ err: error }, 'the schema of the database could not be checked');
    return !isDatabaseUnreachable(error);
  }
}

/**
 * Returns one line that names the missing migrations and the command that applies them; null when none is missing.
 *
 * @param folder that of the migrations
 */
export async function findMigrationFault(sql: Sql, folder = path.resolve('prisma/migrations')): Promise<string | null> {
  const applied = await listFinished(sql);
  const missing = readMigrations(folder).filter(({ name }) => !applied.has(name));
  if (missing.length === 0) return null;
  const count = missing.length === 1 ? 'a migration' : `${missing.length} migrations`;
  return `The database lacks ${count} of this version (first ${missing[0]?.name}): run "npm run migrate", then start again.`;
}

async function listFinished(sql: Sql): Promise<Set<string>> {
  try {
    const rows = await listApplied.all(sql);
    return new Set(rows.filter((row) => row.finished_at !== null).map((row) => row.migration_name));
  } catch (error) {
    // Nothing was ever migrated.
    if (sqlState(error) === SQL_STATE.undefinedTable) return new Set();
    throw error;
  }
}
