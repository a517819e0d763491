import type { SqlTransaction } from '@/lib/platform/db';
import { type ExcessAttempt, removeByKey } from './cap-attempts-sql';

/** Removes attempts by their keys. @returns the number of removed attempts by delivery */
export async function removeAttempts(
  tx: SqlTransaction,
  attempts: readonly ExcessAttempt[],
): Promise<Map<string, number>> {
  if (attempts.length === 0) return new Map();
  const rows = await removeByKey.all(
    tx,
    attempts.map(({ delivery_id }) => delivery_id),
    attempts.map(({ attempt_number }) => attempt_number),
    attempts.map(({ succeeded }) => succeeded),
    attempts.map(({ created_at }) => created_at),
  );
  return countByDelivery(rows);
}

function countByDelivery(rows: readonly { delivery_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { delivery_id } of rows) counts.set(delivery_id, (counts.get(delivery_id) ?? 0) + 1);
  return counts;
}
