import { database, inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { type LockRetries, withLockRetries } from './locks';
import type { Branch, Period } from './partitions';
import { dropConstraintIfThere, limitLockWaits, listChecks, refusePeriod } from './partitions-sql';

/*
 * A default partition can refuse rows of a period. To attach a partition of that period PostgreSQL then need not read the
 * default, which for a million rows blocks writes for a quarter of a second (docs/decisions/018). Only for periods that
 * nobody writes: a process that is killed here leaves the constraint until the next run removes it.
 */

const NAME_START = 'closed_';

export function closedRangeName({ from }: Period): string {
  return NAME_START + from.toISOString().replace(/\D/g, '');
}

/** Makes the default refuse new rows of the period. Rows that it has already stay, unchecked. */
export async function closeRange(branch: Branch, period: Period, retries: LockRetries): Promise<void> {
  await changeDefault(branch, retries, (tx) => refusePeriod(tx, branch.defaultTable, closedRangeName(period), period));
}

/** Makes the default accept rows of every period again, including one that a killed process had closed. */
export async function reopenRanges(branch: Branch, retries: LockRetries): Promise<void> {
  for (const name of await listClosedRanges(branch)) {
    log().warn({ table: branch.defaultTable, constraint: name }, 'removing constraint of an interrupted run');
    await changeDefault(branch, retries, (tx) => dropConstraintIfThere(tx, branch.defaultTable, name));
  }
}

async function listClosedRanges(branch: Branch): Promise<string[]> {
  const rows = await listChecks.all(database(), branch.defaultTable, `^${NAME_START}[0-9]{17}$`);
  return rows.map(({ name }) => name);
}

/** Whether a killed process has left a period closed. */
export async function hasClosedRanges(branch: Branch): Promise<boolean> {
  return (await listClosedRanges(branch)).length > 0;
}

async function changeDefault(
  branch: Branch,
  retries: LockRetries,
  change: (tx: SqlTransaction) => Promise<void>,
): Promise<void> {
  await withLockRetries(branch.defaultTable, retries, () =>
    inSqlTransaction(async (tx) => {
      await limitLockWaits.run(tx);
      await change(tx);
    }),
  );
}
