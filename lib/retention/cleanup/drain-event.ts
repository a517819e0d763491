import { countBatchResult } from '@/lib/retention/jobs/job-run';
import { deleteAttempts } from './delete-attempts';
import { drainDelivery } from './drain-delivery';
import { deleteDeliveries } from './event-attempts-sql';
import { type EventBatch, idAt } from './event-batch';
import { lockDeliveries } from './event-sql';

const ALL = 2_147_483_647;

/**
 * Removes a batch of the rows of one locked event that has more than a batch: its first deliveries with their attempts, or the
 * oldest attempts of a delivery that has more than a batch itself. The event stays for the next batch or the next run.
 *
 * Locks all deliveries each time, though it removes only a batch of them: a manual retry, even an uncommitted one, keeps all
 * that remain. The total time grows with the square of the deliveries: 0.5 s for 10,000, 10 s for 50,000. An event has at most
 * one per endpoint of its project: 1,000, unless PROJECT_MAX_ENDPOINTS is raised.
 *
 * @returns false when the event is in use; then nothing is removed
 */
export async function drainEvent(batch: EventBatch, eventId: string): Promise<boolean> {
  const { tx, run, source, limit } = batch;
  const deliveries = await lockDeliveries[source.table].one(tx, `{${eventId}}`, 1, ALL, limit);
  if (deliveries.count === 0) return false;
  const { ids } = deliveries;
  for (let { count } = deliveries; count > 0; count = Math.floor(count / 2)) {
    const attempts = await deleteAttempts(batch, { ...deliveries, count });
    if (attempts === null) continue;
    await deleteDeliveries.run(tx, ids, count);
    await countBatchResult(tx, run, { rows: { deliveries: count, delivery_attempts: attempts } });
    return true;
  }
  await drainDelivery(batch, idAt(ids, 0));
  return true;
}
