import { database, inTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { DDL_LOCK_TIMEOUT_MS, type LockRetries, withLockRetries } from './lock-retries';
import type { Branch, Period } from './partitions';

/*
 * A default partition that refuses rows of a period. Attaching a partition of that period then need not read the default,
 * which for a million rows takes a quarter of a second in which nobody may write (docs/decisions/018). Only for what
 * nobody writes any more: a process that is killed here leaves the constraint behind, until the next run removes it.
 */

const NAME_START = 'closed_';

export function closedRangeName({ from }: Period): string {
  return NAME_START + from.toISOString().replace(/\D/g, '');
}

/** Has the default refuse new rows of the period. What it holds of it stays, unchecked. */
export async function closeRange(branch: Branch, period: Period, retries: LockRetries): Promise<void> {
  const [from, to] = [period.from.toISOString(), period.to.toISOString()];
  await alterDefault(
    branch,
    `ADD CONSTRAINT ${closedRangeName(period)} CHECK (created_at < '${from}' OR created_at >= '${to}') NOT VALID`,
    retries,
  );
}

/** Has the default take rows of every period again, also what a killed process had closed. */
export async function reopenRanges(branch: Branch, retries: LockRetries): Promise<void> {
  for (const name of await listClosedRanges(branch)) {
    log().warn({ table: branch.defaultTable, constraint: name }, 'removing what an interrupted run left behind');
    await alterDefault(branch, `DROP CONSTRAINT IF EXISTS ${name}`, retries);
  }
}

async function listClosedRanges(branch: Branch): Promise<string[]> {
  const { rows } = await database().query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c' AND conname ~ $2`,
    [branch.defaultTable, `^${NAME_START}[0-9]{17}$`],
  );
  return rows.map(({ name }) => name);
}

/** Whether a killed process has left something closed. */
export async function hasClosedRanges(branch: Branch): Promise<boolean> {
  return (await listClosedRanges(branch)).length > 0;
}

async function alterDefault(branch: Branch, change: string, retries: LockRetries): Promise<void> {
  await withLockRetries(branch.defaultTable, retries, () =>
    inTransaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${DDL_LOCK_TIMEOUT_MS}`);
      await tx.query(`ALTER TABLE ${branch.defaultTable} ${change}`);
    }),
  );
}
