import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { readFigures } from '@/lib/platform/read-figures';
import { listDays } from '@/lib/retention/partitions/list-partitions';
import { BRANCHES, type Branch } from '@/lib/retention/partitions/partitions';
import type { DataClass } from '@/lib/retention/schema';
import { findOldest, findOldestByIndex } from './figures-sql';

/** The classes of data that expire by age. */
export type AgedClass = Exclude<DataClass, 'attemptsPerDelivery'>;

/** created_at of the oldest row of each class (dead_at for dead outbox rows); null without a row. */
export type OldestRows = Record<AgedClass, Date | null>;

/** Finds the oldest rows: by index, and in partitioned tables by reading the oldest day that has rows. */
export async function findOldestRows(): Promise<OldestRows> {
  const [indexed] = await readFigures(findOldestByIndex);
  return {
    ...(indexed ?? { events: null, incomingEvents: null, deadOutbox: null }),
    succeededAttempts: await findOldestOfBranch(branchOf('partitions.delivery_attempts_succeeded')),
    failedAttempts: await findOldestOfBranch(branchOf('partitions.delivery_attempts_failed')),
    tunnelRequests: await findOldestOfBranch(branchOf('public.tunnel_request_log')),
  };
}

function branchOf(parent: string): Branch {
  const found = BRANCHES.find((branch) => branch.parent === parent);
  if (found === undefined) throw new Error(`there is no branch ${parent}`);
  return found;
}

/** Partitions have no index by time. Reads each at most once, up to the first that has a row. */
async function findOldestOfBranch(branch: Branch): Promise<Date | null> {
  const inDefault = await findOldestIn(branch.defaultTable);
  for (const { qualifiedName } of await listDays(branch)) {
    const oldest = await findOldestIn(qualifiedName);
    if (oldest !== null) return inDefault !== null && inDefault < oldest ? inDefault : oldest;
  }
  return inDefault;
}

async function findOldestIn(table: string): Promise<Date | null> {
  try {
    const [found] = await readFigures(findOldest(table));
    return found?.oldest ?? null;
  } catch (error) {
    // The partition was dropped after it was listed.
    if (sqlState(error) === SQL_STATE.undefinedTable) return null;
    throw error;
  }
}
