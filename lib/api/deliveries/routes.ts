import { personOrKey } from '@/lib/api/callers';
import { downloadList, isFile, ListFormat } from '@/lib/api/list-download';
import { resolveCustomer } from '@/lib/customers/customers';
import { getAttempt as getDeliveryAttempt } from '@/lib/delivery/attempts/attempts';
import { countDeliveries } from '@/lib/delivery/deliveries/count-deliveries';
import {
  getDelivery,
  listDeliveries,
  listAttempts as listDeliveryAttempts,
  readDeliveries,
  retryDelivery,
} from '@/lib/delivery/deliveries/deliveries';
import { deliveryScan } from '@/lib/delivery/deliveries/delivery-scan-sql';
import {
  Attempt,
  AttemptDetail,
  CountDeliveriesQuery,
  Delivery,
  DeliveryCount,
  DeliveryTargetList,
  ListDeliveriesQuery,
  ListTargetsQuery,
} from '@/lib/delivery/schema';
import { listTargets as findTargets } from '@/lib/delivery/targets';
import { deliveryStateOf } from '@/lib/events/delivery-state-policy';
import { accepted, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { listingOf, type Page, PageQuery } from '@/lib/platform/pagination';
import { type CsvColumns, endsEarly } from '@/lib/platform/write-rows';

const reads = personOrKey('delivery.read', 'read');

const COLUMNS: CsvColumns<Delivery> = {
  id: (delivery) => delivery.id,
  state: deliveryStateOf,
  eventType: (delivery) => delivery.eventType,
  eventId: (delivery) => delivery.eventId,
  incomingEventId: (delivery) => delivery.incomingEventId,
  sourceId: (delivery) => delivery.sourceId,
  endpointId: (delivery) => delivery.endpointId,
  destinationId: (delivery) => delivery.destinationId,
  targetUrl: (delivery) => delivery.targetUrl,
  attemptCount: (delivery) => delivery.attemptCount,
  lastResponseStatus: (delivery) => delivery.lastResponseStatus,
  lastError: (delivery) => delivery.lastError,
  lastAttemptAt: (delivery) => delivery.lastAttemptAt,
  nextAttemptAt: (delivery) => delivery.nextAttemptAt,
  completedAt: (delivery) => delivery.completedAt,
  createdAt: (delivery) => delivery.createdAt,
};

export const list = route({
  summary: 'List the deliveries of a project; `format` downloads them as a single file.',
  caller: reads,
  params: ['projectId'],
  query: ListDeliveriesQuery.extend({ format: ListFormat }),
  response: { status: 200, schema: listingOf(Delivery) },
  // Served by Node, a download ends when the client disconnects, and Next does not buffer it.
  servedBy: 'node',
  handler: async ({ caller, params: { projectId }, query, request, whileAllowed }) => {
    const { format, ...filter } = await resolveCustomer(projectId, query);
    if (!isFile(format)) return ok(await listDeliveries(projectId, filter));
    const read = (page: Page) => readDeliveries(projectId, filter, page);
    const isTruncated = () => endsEarly(deliveryScan(projectId, filter));
    return downloadList({
      caller,
      request,
      whileAllowed,
      format,
      name: 'deliveries',
      columns: COLUMNS,
      read,
      isTruncated,
    });
  },
});

export const count = route({
  summary: 'Count a project’s matching deliveries, up to 100,000.',
  caller: reads,
  params: ['projectId'],
  query: CountDeliveriesQuery,
  errors: ['rate_limited'],
  response: { status: 200, schema: DeliveryCount },
  handler: async ({ caller, params, query }) =>
    ok(await countDeliveries(caller, params.projectId, await resolveCustomer(params.projectId, query))),
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
  handler: async ({ caller, params, query }) => ok(await listDeliveryAttempts(caller, params, query)),
});

export const getAttempt = route({
  summary: 'Get an attempt, including its request as it was sent.',
  caller: reads,
  params: ['projectId', 'deliveryId', 'attemptId'],
  errors: ['rate_limited'],
  response: { status: 200, schema: AttemptDetail },
  // Node writes large content in slices.
  servedBy: 'node',
  handler: async ({ caller, params }) => ok(await getDeliveryAttempt(caller, params)),
});

export const retry = route({
  summary: 'Retry a delivery now.',
  caller: personOrKey('delivery.retry', 'write'),
  params: ['projectId', 'deliveryId'],
  errors: ['conflict'],
  response: { status: 202, schema: Delivery },
  handler: async ({ params }) => accepted(await retryDelivery(params.projectId, params.deliveryId)),
});

export const listTargets = route({
  summary: 'Find the endpoints and destinations that deliveries go to.',
  caller: reads,
  params: ['projectId'],
  query: ListTargetsQuery,
  response: { status: 200, schema: DeliveryTargetList },
  isHeavy: 'search',
  handler: async ({ params, query }) => ok({ data: await findTargets(params.projectId, query.q) }),
});
