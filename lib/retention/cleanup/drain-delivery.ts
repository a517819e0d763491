import { countBatchResult } from '@/lib/retention/jobs/job-run';
import { orAttemptLocked } from './delete-attempts';
import type { EventBatch } from './event-batch';

const KEY = 'attempt_number, succeeded, created_at';
const DELETE_OLDEST_SQL = `
  DELETE FROM delivery_attempts WHERE delivery_id = $1 AND (${KEY}) <= (
    SELECT ${KEY} FROM delivery_attempts WHERE delivery_id = $1 ORDER BY ${KEY} OFFSET $2 - 1 LIMIT 1)`;

/**
 * Removes a batch of the attempts of one locked delivery that has more than a batch: those with the lowest numbers.
 * @throws AttemptLockedError
 */
export async function drainDelivery({ tx, run, limit }: EventBatch, id: string): Promise<void> {
  const attempts = (await orAttemptLocked(tx.query(DELETE_OLDEST_SQL, [id, limit]))).rowCount ?? 0;
  const lowerCount = 'UPDATE deliveries SET stored_attempts = greatest(stored_attempts - $2, 0) WHERE id = $1';
  await tx.query(lowerCount, [id, attempts]);
  await countBatchResult(tx, run, { rows: { delivery_attempts: attempts } });
}
