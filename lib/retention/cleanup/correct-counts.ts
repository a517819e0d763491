import type { SqlTransaction } from '@/lib/platform/db';
import { readRows } from './read-rows';

const SUBTRACT_SQL = `
  UPDATE deliveries d SET stored_attempts = d.stored_attempts - c.removed
  FROM unnest($1::uuid[], $2::int[]) AS c(id, removed) WHERE d.id = c.id`;

/*
 * One pass over the partitions for all deliveries: a subquery per delivery would search some hundred. Nobody adds an attempt
 * between the two statements, since the delivery is locked.
 */
const COUNT_SQL = `
  SELECT delivery_id, count(*)::int AS stored FROM delivery_attempts
  WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) GROUP BY delivery_id`;
const SET_COUNT_SQL = `
  UPDATE deliveries d SET stored_attempts = c.stored
  FROM unnest($1::uuid[], $2::int[]) AS c(id, stored) WHERE d.id = c.id`;

/**
 * Lowers the counts of locked deliveries by what was removed. A delivery without an excess had a count that was too high,
 * because its attempts were dropped with their partitions: they are counted.
 */
export async function correctCounts(
  tx: SqlTransaction,
  locked: Set<string>,
  removed: Map<string, number>,
): Promise<void> {
  if (removed.size > 0) await tx.query(SUBTRACT_SQL, [[...removed.keys()], [...removed.values()]]);
  const overstated = [...locked].filter((id) => !removed.has(id));
  if (overstated.length > 0) await recount(tx, overstated);
}

async function recount(tx: SqlTransaction, ids: readonly string[]): Promise<void> {
  const counted = await readRows<{ delivery_id: string; stored: number }>(tx, {
    name: 'retention-cap-count',
    text: COUNT_SQL,
    values: [ids],
  });
  const stored = new Map(counted.map((row) => [row.delivery_id, row.stored]));
  await tx.query(SET_COUNT_SQL, [ids, ids.map((id) => stored.get(id) ?? 0)]);
}
