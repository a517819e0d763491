import { countBatchResult } from '@/lib/retention/jobs/job-run';
import { orAttemptLocked } from './delete-attempts';
import { deleteOldestAttempts, lowerCount } from './event-attempts-sql';
import type { EventBatch } from './event-batch';

/**
 * Removes one batch of the attempts of a locked delivery that has more than a batch, lowest numbers first.
 * @throws AttemptLockedError
 */
export async function drainDelivery({ tx, run, limit }: EventBatch, id: string): Promise<void> {
  const attempts = await orAttemptLocked(deleteOldestAttempts.run(tx, id, limit));
  await lowerCount.run(tx, id, attempts);
  await countBatchResult(tx, run, { rows: { delivery_attempts: attempts } });
}
