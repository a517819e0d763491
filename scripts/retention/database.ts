import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnreachable, sqlState } from '@/lib/platform/database-errors';
import { closeDatabase } from '@/lib/platform/db';
import { oneLineOf } from '@/lib/platform/errors';

/** Access is refused, or there is no such database. */
const NO_ENTRY = /^(28\w{3}|3D000|42501)$/;
/** There is no such table, column or schema. */
const NO_SUCH_THING = /^(42P01|42703|3F000)$/;

/** Returns in one line why the database cannot be used yet; null when the error has another cause. */
export function describeDatabaseFault(error: unknown): string | null {
  const state = sqlState(error) ?? '';
  if (NO_SUCH_THING.test(state)) {
    return `The database is not at the schema of this version, run "npm run migrate" first: ${oneLineOf(error)}`;
  }
  return isDatabaseUnreachable(error) || NO_ENTRY.test(state)
    ? `The database is unreachable: ${oneLineOf(error)}`
    : null;
}

const CLOSING_MS = 500;

/** Closes the pool without a long wait for an abandoned batch: the database rolls it back when the process has ended. */
export async function closeConnections(): Promise<void> {
  await Promise.race([closeDatabase(), sleep(CLOSING_MS)]);
}
