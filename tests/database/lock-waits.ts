import { setTimeout as sleep } from 'node:timers/promises';
import { nodeUrls } from '@/lib/platform/cells/cell-nodes';
import { database } from '@/lib/platform/db';

/** Counts the connections to the test database that wait for a lock, on all machines. */
export async function countLockWaits(): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${nodeUrls().length > 0 ? 'citus_stat_activity' : 'pg_stat_activity'}
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

/** Waits until `work` waits for a lock, or ends. */
export async function untilLockWait(work: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work.then(end, end);
  while (!hasEnded && (await countLockWaits()) === 0) await sleep(5);
}
