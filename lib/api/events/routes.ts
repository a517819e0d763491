import * as z from 'zod';
import { addressOfServer, keyCheckedByHandler, type PresentedKey, personOrKey } from '@/lib/api/callers';
import { downloadList, isFile, ListFormat } from '@/lib/api/list-download';
import { resolveCustomer } from '@/lib/customers/customers';
import { getFanOut, withEvent } from '@/lib/delivery/deliveries/deliveries';
import { sendToEndpoint as sendEventToEndpoint } from '@/lib/delivery/deliveries/send-to-endpoint';
import { listRouting as listRoutingOf } from '@/lib/delivery/routing/event-routing';
import { Delivery, EventDetail, ListRoutingQuery, RoutingItem, SendToEndpointBody } from '@/lib/delivery/schema';
import { eventScan } from '@/lib/events/events-sql';
import { memberText } from '@/lib/events/member-text';
import { getEvent, listEvents, readEvents } from '@/lib/events/queries';
import { EventListItem, EventSummary, IdempotencyKey, ListEventsQuery, SendEventBody } from '@/lib/events/schema';
import { refuseLargeData, sendEvent } from '@/lib/events/send-event';
import { accepted, ok } from '@/lib/http/api-response';
import type { ApiRequest } from '@/lib/http/request';
import { route } from '@/lib/http/route';
import { mapInTurns } from '@/lib/orgs/tenant';
import { systemClock } from '@/lib/platform/clock';
import { asJson } from '@/lib/platform/json-text';
import { listingOf, type Page } from '@/lib/platform/pagination';
import { countThread } from '@/lib/platform/thread-turns';
import { type CsvColumns, endsEarly } from '@/lib/platform/write-rows';

const SEND_OPTIONS = {
  caller: keyCheckedByHandler(),
  headers: z.object({
    'idempotency-key': IdempotencyKey.optional().meta({ description: 'Requests with the same key create one event' }),
  }),
  body: SendEventBody,
  errors: ['idempotency_conflict' as const, 'unknown_event_type' as const, 'schema_mismatch' as const],
  response: { status: 202, schema: EventSummary, headers: ['Idempotent-Replayed'] as const },
  servedBy: 'node' as const,
};

interface SendRequest {
  caller: PresentedKey;
  /** The project of the path; null where the key alone names it. */
  projectId: string | null;
  body: SendEventBody;
  bodyText: string;
  headers: { 'idempotency-key'?: string | undefined };
  request: ApiRequest;
}

async function acceptEvent({ caller, projectId, body, bodyText, headers, request }: SendRequest) {
  const { client } = request;
  const payload = countThread(client.ownerId, () => memberText(bodyText, 'data') ?? '{}');
  // Credentials are checked first: a route confirms the key before it parses a body as large as this.
  refuseLargeData(payload);
  const idempotencyKey = headers['idempotency-key'] ?? null;
  const { traceparent = null } = client;
  const clientAddress = addressOfServer(request);
  const { event, ...sent } = await sendEvent(
    {
      keyHash: caller.keyHash,
      projectId,
      type: body.type,
      payload,
      customer: body.customer ?? null,
      idempotencyKey,
      traceparent,
      clientAddress,
    },
    systemClock(),
  );
  client.projectId = sent.projectId;
  return accepted(event, sent.replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {});
}

export const send = route({
  ...SEND_OPTIONS,
  summary: 'Send an event; the API key determines the project.',
  handler: ({ caller, body, bodyText, headers, request }) =>
    acceptEvent({ caller, projectId: null, body, bodyText, headers, request }),
});

export const sendToProject = route({
  ...SEND_OPTIONS,
  summary: 'Send an event to a project.',
  params: ['projectId'],
  handler: ({ caller, params, body, bodyText, headers, request }) =>
    acceptEvent({ caller, projectId: params.projectId.toLowerCase(), body, bodyText, headers, request }),
});

const EVENT_COLUMNS: CsvColumns<EventListItem> = {
  id: (event) => event.id,
  type: (event) => event.type,
  idempotencyKey: (event) => event.idempotencyKey,
  apiKeyId: (event) => event.apiKeyId,
  clientAddress: (event) => event.clientAddress,
  customerId: (event) => event.customerId,
  customerUid: (event) => event.customerUid,
  createdAt: (event) => event.createdAt,
  queued: ({ deliveries }) => deliveries.queued,
  retrying: ({ deliveries }) => deliveries.retrying,
  succeeded: ({ deliveries }) => deliveries.succeeded,
  failed: ({ deliveries }) => deliveries.failed,
  fanOutStatus: (event) => event.fanOutStatus,
};

export const list = route({
  summary: 'List the events of a project, without their data; `format` downloads them as a single file.',
  caller: personOrKey('event.read', 'read'),
  params: ['projectId'],
  query: ListEventsQuery.extend({ format: ListFormat }),
  response: { status: 200, schema: listingOf(EventListItem) },
  // Served by Node, a download ends when the client disconnects, and Next does not buffer it.
  servedBy: 'node',
  handler: async ({ caller, params: { projectId }, query, request, whileAllowed }) => {
    const { format, ...filter } = await resolveCustomer(projectId, query);
    if (!isFile(format)) return ok(await listEvents(projectId, filter));
    const read = (page: Page) => readEvents(projectId, filter, page);
    const isTruncated = () => endsEarly(eventScan(projectId, filter));
    return downloadList({
      caller,
      request,
      whileAllowed,
      format,
      name: 'events',
      columns: EVENT_COLUMNS,
      read,
      isTruncated,
    });
  },
});

export const get = route({
  summary: 'Get an event with its data and deliveries.',
  caller: personOrKey('event.read', 'read'),
  params: ['projectId', 'eventId'],
  errors: ['rate_limited'],
  response: { status: 200, schema: EventDetail },
  // Node writes large content in slices.
  servedBy: 'node',
  handler: ({ caller, params }) =>
    withEvent(params, async () => {
      const { event, payload } = await getEvent(params.projectId, params.eventId);
      const { fanOutStatus, deliveries } = await getFanOut(caller, params);
      const written = await mapInTurns(caller, params.projectId, deliveries, (delivery) => JSON.stringify(delivery));
      const shown = written.map((text) => asJson<Delivery>(text));
      return ok({ ...event, fanOutStatus, deliveries: shown, data: asJson(payload) });
    }),
});

export const listRouting = route({
  summary: 'Say of each endpoint whether an event went to it, and why not.',
  caller: personOrKey('event.read', 'read'),
  params: ['projectId', 'eventId'],
  query: ListRoutingQuery,
  errors: ['rate_limited'],
  response: { status: 200, schema: listingOf(RoutingItem) },
  isHeavy: 'trial',
  handler: async ({ caller, params, query: { all, ...page } }) =>
    ok(await listRoutingOf(caller, params, page, all === true ? 'all' : 'event')),
});

export const sendToEndpoint = route({
  summary: 'Send an event to an endpoint that it did not go to, whatever its subscriptions and filter say.',
  caller: personOrKey('delivery.retry', 'write'),
  params: ['projectId', 'eventId'],
  body: SendToEndpointBody,
  errors: ['conflict'],
  response: { status: 202, schema: Delivery },
  handler: async ({ caller, params, body }) => accepted(await sendEventToEndpoint(caller, params, body.endpointId)),
});
