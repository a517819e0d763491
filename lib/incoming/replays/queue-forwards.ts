import { notifyDeliveries } from '@/lib/delivery/deliveries/deliveries-sql';
import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { refuseIfMoved } from '@/lib/orgs/tenant';
import type { Sql } from '@/lib/platform/db';
import { insertForwards } from './replays-sql';

/**
 * Makes the deliveries of incoming events to destinations due now, including those that succeeded, and creates missing ones.
 * Runs in the caller's transaction, which has locked the incoming events
 * (docs/decisions/017-retention.md).
 *
 * @returns the ids of the deliveries
 * @throws AppError unavailable when the organization has just moved to another cell
 */
export async function queueForwards(
  tx: Sql,
  projectId: string,
  incomingEventIds: readonly string[],
  destinationIds: readonly string[],
): Promise<string[]> {
  const forwards = incomingEventIds.flatMap((incomingEventId) =>
    destinationIds.map((destinationId) => ({
      id: deliveryIdOf(incomingEventId, destinationId),
      incomingEventId,
      destinationId,
    })),
  );
  const ids = forwards.map(({ id }) => id);
  if (ids.length === 0) return [];
  const stored = await insertForwards.run(tx, {
    project: projectId,
    deliveries: ids,
    incomingEvents: forwards.map(({ incomingEventId }) => incomingEventId),
    destinations: forwards.map(({ destinationId }) => destinationId),
  });
  // They may all be due already.
  if (stored === 0) await refuseIfMoved(tx, projectId);
  await notifyDeliveries.run(tx, { project: projectId, targets: destinationIds });
  return ids;
}
