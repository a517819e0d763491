import type { ProjectCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import { findRoute } from '@/lib/delivery/routing/event-routing';
import type { Delivery } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/projects';
import { refuseIfMoved } from '@/lib/orgs/tenant';
import { AppError, notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { getDelivery } from './deliveries';
import { queueDeliveries } from './queue-deliveries';

/**
 * Sends an event to an endpoint that it did not go to, whatever its subscriptions and filter say.
 * @throws AppError not_found; conflict when the event was or is about to be sent to it, when it is disabled, and when it belongs to another
 *   customer; rate_limited when many changes of the project wait
 */
export async function sendToEndpoint(
  caller: ProjectCaller,
  { projectId, eventId }: { projectId: string; eventId: string },
  endpointId: string,
): Promise<Delivery> {
  const deliveryId = await inRowTurn(projectId, () =>
    inTransaction(async (tx) => {
      await lockProject(tx, projectId);
      const found = await findRoute(tx, { projectId, eventId }, endpointId);
      if (found === null) throw notFound('endpoint');
      const { route, endpoint } = found;
      if (route.outcome === 'OTHER_CUSTOMER') {
        throw new AppError('conflict', 'The endpoint belongs to another customer than the event.');
      }
      if (route.outcome === 'SENT') throw alreadySent(endpoint.deliveryId);
      if (!endpoint.enabled)
        throw new AppError('conflict', 'The endpoint is disabled. Enable it, then send the event.');
      const wanted = { eventId, endpointId, customerId: endpoint.customerId };
      const [id] = await queueDeliveries(tx, projectId, [wanted]);
      if (id === undefined) {
        await refuseIfMoved(tx, projectId);
        // A fan-out stored it meanwhile, or retention removed the event.
        const again = await findRoute(tx, { projectId, eventId }, endpointId);
        throw again === null ? notFound('event') : alreadySent(again.endpoint.deliveryId);
      }
      await auditChange(tx, caller, 'delivery.created', id, { projectId, eventId, endpointId });
      return id;
    }),
  );
  return getDelivery(projectId, deliveryId);
}

function alreadySent(deliveryId: string | null): AppError {
  const detail =
    deliveryId === null
      ? 'This event is about to be sent to this endpoint. Wait for its delivery.'
      : `This event was sent to this endpoint already. Retry its delivery ${deliveryId}.`;
  return new AppError('conflict', detail);
}
