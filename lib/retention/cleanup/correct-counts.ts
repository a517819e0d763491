import type { SqlTransaction } from '@/lib/platform/db';
import { countStored, lowerCounts, setCounts } from './cap-attempts-sql';

/**
 * Lowers the counts of locked deliveries by what was removed. A delivery without excess attempts had too high a count, because
 * dropping a partition does not lower it: its attempts are counted again.
 */
export async function correctCounts(
  tx: SqlTransaction,
  locked: Set<string>,
  removed: Map<string, number>,
): Promise<void> {
  if (removed.size > 0) await lowerCounts.run(tx, [...removed.keys()], [...removed.values()]);
  const overstated = [...locked].filter((id) => !removed.has(id));
  if (overstated.length > 0) await recount(tx, overstated);
}

async function recount(tx: SqlTransaction, ids: readonly string[]): Promise<void> {
  const counted = await countStored.all(tx, ids);
  const stored = new Map(counted.map((row) => [row.delivery_id, row.stored]));
  // The counts are still right: no attempt is added while the deliveries are locked.
  await setCounts.run(
    tx,
    ids,
    ids.map((id) => stored.get(id) ?? 0),
  );
}
