import { personOrKey } from '@/lib/api/callers';
import { getDelivery, listDeliveries, listAttempts as listDeliveryAttempts } from '@/lib/delivery/deliveries/queries';
import { retryDelivery } from '@/lib/delivery/deliveries/retry-delivery';
import { Attempt, Delivery, ListDeliveriesQuery } from '@/lib/delivery/schema';
import { accepted, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

const reads = personOrKey('delivery.read', 'read');

export const list = route({
  summary: 'List the deliveries of a project.',
  caller: reads,
  params: ['projectId'],
  query: ListDeliveriesQuery,
  response: { status: 200, schema: listingOf(Delivery) },
  handler: async ({ params, query }) => ok(await listDeliveries(params.projectId, query)),
});

export const get = route({
  summary: 'Get a delivery.',
  caller: reads,
  params: ['projectId', 'deliveryId'],
  response: { status: 200, schema: Delivery },
  handler: async ({ params }) => ok(await getDelivery(params.projectId, params.deliveryId)),
});

export const listAttempts = route({
  summary: 'List the stored attempts of a delivery.',
  caller: reads,
  params: ['projectId', 'deliveryId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Attempt) },
  handler: async ({ params, query }) => ok(await listDeliveryAttempts(params.projectId, params.deliveryId, query)),
});

export const retry = route({
  summary: 'Retry a delivery now.',
  caller: personOrKey('delivery.retry', 'write'),
  params: ['projectId', 'deliveryId'],
  errors: ['conflict'],
  response: { status: 202, schema: Delivery },
  handler: async ({ params }) => accepted(await retryDelivery(params.projectId, params.deliveryId)),
});
