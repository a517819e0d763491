import type { Delivery } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { makeDue } from './deliveries-sql';
import { getDelivery } from './queries';

/**
 * Makes a delivery due now and restarts its schedule, even after a success (docs/specification.md#deliveries).
 * @throws AppError not_found; conflict when its endpoint or destination is disabled or deleted
 */
export async function retryDelivery(projectId: string, deliveryId: string): Promise<Delivery> {
  const count = await makeDue.run(database(), projectId, deliveryId);
  const delivery = await getDelivery(projectId, deliveryId);
  if (count === 0) {
    const target = delivery.endpointId === null ? 'destination' : 'endpoint';
    const detail = `The ${target} of this delivery is disabled or deleted. If it is disabled, enable it and retry.`;
    throw new AppError('conflict', detail);
  }
  return delivery;
}
