import type { SqlTransaction } from '@/lib/platform/db';
import { countStored, lowerCounts, setCounts } from './cap-attempts-sql';

/**
 * Lowers the counts of locked deliveries by what was removed. A delivery without an excess had a count that was too high,
 * because its attempts were dropped with their partitions: they are counted.
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
  // Nobody has added an attempt since, because the deliveries are locked.
  await setCounts.run(
    tx,
    ids,
    ids.map((id) => stored.get(id) ?? 0),
  );
}
