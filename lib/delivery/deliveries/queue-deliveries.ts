import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import type { Sql } from '@/lib/platform/db';
import { insertMissing, notifyDeliveries } from './deliveries-sql';

/** An event and an endpoint of its project that it is to be sent to, with the customer of the endpoint. */
export interface WantedDelivery {
  eventId: string;
  endpointId: string;
  customerId: string | null;
}

/**
 * Stores the missing deliveries of events to endpoints as due now, and wakes the workers. Existing ones stay as they are, so two calls
 * at once, or one beside a fan-out, make one delivery of an event to an endpoint. Events that retention has removed are skipped.
 *
 * Runs in the caller's transaction, which has locked the project (`lockProject`): otherwise an erasure would miss what is added. The
 * events are locked here, so that retention does not remove them. While an event is in the outbox, a fan-out may be sending it without
 * a stored delivery, and would send it once more: the caller leaves out what a fan-out is about to send.
 *
 * @returns the ids of the deliveries that it has made
 */
export async function queueDeliveries(
  tx: Sql,
  projectId: string,
  wanted: readonly WantedDelivery[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const made = await insertMissing.all(tx, {
    project: projectId,
    deliveries: wanted.map(({ eventId, endpointId }) => deliveryIdOf(eventId, endpointId)),
    events: wanted.map(({ eventId }) => eventId),
    endpoints: wanted.map(({ endpointId }) => endpointId),
    customers: wanted.map(({ customerId }) => customerId),
  });
  if (made.length > 0) {
    await notifyDeliveries.run(tx, { project: projectId, targets: made.map(({ endpoint_id }) => endpoint_id) });
  }
  return made.map(({ id }) => id);
}
