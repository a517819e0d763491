import type { SqlTransaction } from '@/lib/platform/db';
import type { ExcessAttempt } from './find-excess-attempts';
import { readRows } from './read-rows';

const REMOVE_SQL = `
  DELETE FROM delivery_attempts a
  USING unnest($1::uuid[], $2::int[], $3::boolean[], $4::timestamptz[]) AS v(delivery_id, attempt_number, succeeded, created_at)
  WHERE a.delivery_id = v.delivery_id AND a.attempt_number = v.attempt_number AND a.succeeded = v.succeeded
    AND a.created_at = v.created_at
  RETURNING a.delivery_id`;

/** Removes attempts by their keys. @returns how many attempts each delivery has lost */
export async function removeAttempts(
  tx: SqlTransaction,
  attempts: readonly ExcessAttempt[],
): Promise<Map<string, number>> {
  if (attempts.length === 0) return new Map();
  const rows = await readRows<{ delivery_id: string }>(tx, {
    name: 'retention-cap-remove',
    text: REMOVE_SQL,
    values: [
      attempts.map(({ delivery_id }) => delivery_id),
      attempts.map(({ attempt_number }) => attempt_number),
      attempts.map(({ succeeded }) => succeeded),
      attempts.map(({ created_at }) => created_at),
    ],
  });
  return countByDelivery(rows);
}

function countByDelivery(rows: readonly { delivery_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { delivery_id } of rows) counts.set(delivery_id, (counts.get(delivery_id) ?? 0) + 1);
  return counts;
}
