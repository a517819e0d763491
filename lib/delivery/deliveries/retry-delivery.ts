import type { Delivery } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { getDelivery } from './queries';

/**
 * Makes a delivery due now and restarts its schedule, also after a success (docs/specification.md#deliveries).
 * @throws AppError not_found; conflict when its endpoint or destination is disabled or deleted
 */
export async function retryDelivery(projectId: string, deliveryId: string): Promise<Delivery> {
  const { rowCount } = await database().query(
    `WITH due AS (
       UPDATE deliveries d
       SET status = 'PENDING', next_attempt_at = now(), schedule_step = 0, completed_at = NULL
       WHERE d.project_id = $1 AND d.id = $2
         AND (EXISTS (SELECT FROM endpoints t WHERE t.id = d.endpoint_id AND t.enabled AND t.deleted_at IS NULL)
           OR EXISTS (SELECT FROM destinations t WHERE t.id = d.destination_id AND t.enabled AND t.deleted_at IS NULL))
       RETURNING d.id
     )
     SELECT pg_notify('eds_delivery', '') FROM due`,
    [projectId, deliveryId],
  );
  const delivery = await getDelivery(projectId, deliveryId);
  if (rowCount === 0) {
    throw new AppError('conflict', 'The endpoint of this delivery is disabled or deleted. Enable it, then retry.');
  }
  return delivery;
}
