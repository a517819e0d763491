import { inSqlTransaction } from '@/lib/platform/db';
import { countOlderRows } from './backfill';
import { BUCKET_BOUNDS_MS } from './histogram';
import { rollUpBatches, tryRollUpLock } from './roll-up-sql';

/** A batch has up to 400 results, so a statement takes less than a second. */
const BATCHES = 250;

/**
 * Adds what was recorded since the last run to the statistics, then some of what is older than the statistics. One worker at a
 * time; the others return at once (docs/decisions/042-stats-are-rolled-up-from-a-queue.md).
 * @returns whether more is waiting
 */
export async function rollUpStats(): Promise<boolean> {
  const batches = await inSqlTransaction(async (tx) => {
    if (!(await tryRollUpLock.one(tx)).taken) return null;
    return (await rollUpBatches.one(tx, BATCHES, BUCKET_BOUNDS_MS)).batches;
  });
  if (batches === null) return false;
  return batches === BATCHES || (await countOlderRows());
}
