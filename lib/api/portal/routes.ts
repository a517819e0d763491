import { anyone, confirmPortal, portal } from '@/lib/api/callers';
import { getAttempt as getDeliveryAttempt } from '@/lib/delivery/attempts/attempts';
import {
  getDelivery as getProjectDelivery,
  listAttempts as listDeliveryAttempts,
  listDeliveries as listProjectDeliveries,
  retryDelivery as retryProjectDelivery,
} from '@/lib/delivery/deliveries/deliveries';
import { STANDARD } from '@/lib/delivery/endpoint-options-policy';
import {
  createEndpoint as createProjectEndpoint,
  deleteEndpoint as deleteProjectEndpoint,
  getEndpoint as getProjectEndpoint,
  revealSecret,
  rotateSecret,
  updateEndpoint as updateProjectEndpoint,
} from '@/lib/delivery/endpoints/endpoints';
import { testEndpoint as testProjectEndpoint } from '@/lib/delivery/endpoints/test-endpoint';
import { createEventReplay } from '@/lib/delivery/event-replays/event-replays';
import { previewEventReplay } from '@/lib/delivery/event-replays/preview-event-replay';
import { listRouting as listProjectRouting } from '@/lib/delivery/routing/event-routing';
import {
  Attempt,
  AttemptDetail,
  EndpointSecret,
  EventReplayPreview,
  RotateEndpointSecretBody,
  Subscription,
  TestEndpointBody,
  TestResult,
  UpdateSubscriptionBody,
} from '@/lib/delivery/schema';
import {
  createSubscription as createProjectSubscription,
  deleteSubscription as deleteProjectSubscription,
  getSubscription as getProjectSubscription,
  listSubscriptions as listProjectSubscriptions,
  updateSubscription as updateProjectSubscription,
} from '@/lib/delivery/subscriptions';
import { memberText } from '@/lib/events/member-text';
import { EventTypeSummary } from '@/lib/events/schema';
import { refuseLargeData } from '@/lib/events/send-event';
import { accepted, created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { systemClock } from '@/lib/platform/clock';
import { type Listing, listingOf, PageQuery } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import {
  listEventsOfCustomer,
  listTypesOfCustomer,
  ownDelivery,
  ownEndpoint,
  ownEvent,
  ownSubscription,
} from '@/lib/portal/own-rows';
import {
  CreatePortalEndpointBody,
  CreatePortalReplayBody,
  CreatePortalSubscriptionBody,
  ListPortalDeliveriesQuery,
  ListPortalEventsQuery,
  ListPortalEventTypesQuery,
  OpenedPortalSession,
  OpenPortalSessionBody,
  PortalDelivery,
  PortalEndpoint,
  PortalEndpointListItem,
  PortalEvent,
  PortalReplay,
  PortalRoutingItem,
  PortalSession,
  UpdatePortalEndpointBody,
} from '@/lib/portal/schema';
import { closePortalSession, getPortalSession, openPortalSession } from '@/lib/portal/sessions';
import { listEndpoints as listProjectEndpoints } from '@/lib/stats/list-endpoints';

const reads = portal('READ');
const manages = portal('MANAGE');

export const openSession = route({
  summary: 'Open the session of a portal link; it works once.',
  caller: anyone(),
  body: OpenPortalSessionBody,
  errors: ['invalid_portal_link'],
  response: { status: 201, schema: OpenedPortalSession, sensitive: true },
  handler: async ({ body }) => created(await openPortalSession(body)),
});

export const getSession = route({
  summary: 'Get the portal session of the token.',
  caller: reads,
  response: { status: 200, schema: PortalSession },
  handler: async ({ caller }) => ok(await getPortalSession(caller)),
});

export const closeSession = route({
  summary: 'Sign out of the portal.',
  // Others of the customer may have used up its changes.
  caller: portal('READ', null),
  response: { status: 204 },
  handler: async ({ caller }) => {
    await closePortalSession(caller);
    return noContent();
  },
});

const mapListing = <From, To>({ data, nextCursor }: Listing<From>, map: (item: From) => To): Listing<To> => ({
  data: data.map(map),
  nextCursor,
});

export const listEndpoints = route({
  summary: 'List the customer’s endpoints, newest first.',
  caller: reads,
  query: PageQuery,
  response: { status: 200, schema: listingOf(PortalEndpointListItem) },
  handler: async ({ caller, query: { limit, cursor } }) => {
    const page = { limit, cursor: cursor === undefined ? undefined : { id: cursor, key: null } };
    const ofCustomer = { ...page, customer: caller.customerId, sort: '-createdAt' as const };
    const listing = await listProjectEndpoints(caller, caller.projectId, ofCustomer, systemClock);
    return ok(mapListing(listing, (endpoint) => present(PortalEndpointListItem, endpoint)));
  },
});

/** What the company decides of an endpoint. */
const DEFAULTS = {
  metadata: {},
  headers: {},
  signature: STANDARD,
  bodyFormat: 'ENVELOPE',
  receivesCustomerEvents: false,
} as const;

export const createEndpoint = route({
  summary: 'Create an endpoint of the customer, subscribed to event types.',
  caller: manages,
  body: CreatePortalEndpointBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: PortalEndpoint },
  handler: async ({ caller, body }) => {
    const given = { ...DEFAULTS, ...body, customer: caller.customerId };
    return created(present(PortalEndpoint, await createProjectEndpoint(caller, caller.projectId, given)));
  },
});

export const getEndpoint = route({
  summary: 'Get an endpoint of the customer.',
  caller: reads,
  params: ['endpointId'],
  response: { status: 200, schema: PortalEndpoint },
  handler: async ({ caller, params }) =>
    ok(present(PortalEndpoint, await getProjectEndpoint(caller, await ownEndpoint(caller, params)))),
});

export const updateEndpoint = route({
  summary: 'Change an endpoint of the customer.',
  caller: manages,
  params: ['endpointId'],
  body: UpdatePortalEndpointBody,
  response: { status: 200, schema: PortalEndpoint },
  handler: async ({ caller, params, body }) => {
    const path = await ownEndpoint(caller, params);
    return ok(present(PortalEndpoint, await updateProjectEndpoint(caller, path, body, systemClock())));
  },
});

export const deleteEndpoint = route({
  summary: 'Delete an endpoint of the customer, its subscriptions and its secrets.',
  caller: manages,
  params: ['endpointId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteProjectEndpoint(caller, await ownEndpoint(caller, params), systemClock());
    return noContent();
  },
});

export const getEndpointSecret = route({
  summary: 'Reveal the signing secret of an endpoint of the customer.',
  caller: manages,
  params: ['endpointId'],
  response: { status: 200, schema: EndpointSecret, sensitive: true },
  handler: async ({ caller, params }) =>
    ok(await revealSecret(caller, await ownEndpoint(caller, params), systemClock())),
});

export const rotateEndpointSecret = route({
  summary: 'Replace the signing secret of an endpoint of the customer; the old one stays valid for a grace period.',
  caller: manages,
  params: ['endpointId'],
  body: RotateEndpointSecretBody,
  bodyOptional: true,
  response: { status: 200, schema: EndpointSecret, sensitive: true },
  handler: async ({ caller, params, body }) =>
    ok(await rotateSecret(caller, await ownEndpoint(caller, params), body, systemClock())),
});

export const testEndpoint = route({
  summary: 'Send a signed test event to an endpoint of the customer and get the request and response.',
  caller: portal('MANAGE', 'tests'),
  params: ['endpointId'],
  body: TestEndpointBody,
  bodyOptional: true,
  errors: ['payload_too_large'],
  response: { status: 200, schema: TestResult },
  handler: async ({ caller, params, body, bodyText, request }) => {
    const data = memberText(bodyText, 'data');
    if (data !== null) refuseLargeData(data);
    const path = await ownEndpoint(caller, params);
    const result = await testProjectEndpoint(caller, path, { type: body.type, data }, systemClock());
    await confirmPortal(request);
    return ok(result);
  },
});

export const replayEvents = route({
  summary: 'Send the customer’s events that an endpoint missed, or count them.',
  caller: portal('MANAGE', 'replays'),
  params: ['endpointId'],
  body: CreatePortalReplayBody,
  errors: ['conflict', 'limit_reached'],
  response: { status: 202, schema: PortalReplay, alternatives: [{ status: 200, schema: EventReplayPreview }] },
  handler: async ({ caller, params, body: { from, dryRun } }) => {
    const { projectId, endpointId } = await ownEndpoint(caller, params);
    const wanted = { from, endpointId, select: 'MISSING', dryRun } as const;
    if (dryRun) return ok(await previewEventReplay(caller, projectId, wanted));
    admitIntake(projectId, 0);
    return accepted(present(PortalReplay, await createEventReplay(caller, projectId, wanted)));
  },
});

export const listSubscriptions = route({
  summary: 'List the subscriptions of an endpoint of the customer.',
  caller: reads,
  params: ['endpointId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Subscription) },
  handler: async ({ caller, params, query }) => {
    const { projectId, endpointId } = await ownEndpoint(caller, params);
    return ok(await listProjectSubscriptions(projectId, { ...query, endpointId }));
  },
});

export const createSubscription = route({
  summary: 'Subscribe an endpoint of the customer to events of a type.',
  caller: manages,
  params: ['endpointId'],
  body: CreatePortalSubscriptionBody,
  errors: ['limit_reached', 'conflict'],
  response: { status: 201, schema: Subscription },
  handler: async ({ caller, params, body }) => {
    const { projectId, endpointId } = await ownEndpoint(caller, params);
    return created(await createProjectSubscription(caller, projectId, { ...body, endpointId }));
  },
});

export const getSubscription = route({
  summary: 'Get a subscription of an endpoint of the customer.',
  caller: reads,
  params: ['endpointId', 'subscriptionId'],
  response: { status: 200, schema: Subscription },
  handler: async ({ caller, params }) => {
    const { projectId, subscriptionId } = await ownSubscription(caller, params);
    return ok(await getProjectSubscription(projectId, subscriptionId));
  },
});

export const updateSubscription = route({
  summary: 'Change a subscription of an endpoint of the customer.',
  caller: manages,
  params: ['endpointId', 'subscriptionId'],
  body: UpdateSubscriptionBody,
  errors: ['conflict'],
  response: { status: 200, schema: Subscription },
  handler: async ({ caller, params, body }) => {
    const { projectId, subscriptionId } = await ownSubscription(caller, params);
    return ok(await updateProjectSubscription(caller, projectId, subscriptionId, body));
  },
});

export const deleteSubscription = route({
  summary: 'Delete a subscription of an endpoint of the customer.',
  caller: manages,
  params: ['endpointId', 'subscriptionId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    const { projectId, subscriptionId } = await ownSubscription(caller, params);
    await deleteProjectSubscription(caller, projectId, subscriptionId);
    return noContent();
  },
});

export const listDeliveries = route({
  summary: 'List the deliveries to the customer’s endpoints.',
  caller: reads,
  query: ListPortalDeliveriesQuery,
  response: { status: 200, schema: listingOf(PortalDelivery) },
  handler: async ({ caller, query }) => {
    const ofCustomer = { ...query, customer: caller.customerId, readsCustomerOnly: true };
    const listing = await listProjectDeliveries(caller.projectId, ofCustomer);
    return ok(mapListing(listing, (delivery) => present(PortalDelivery, delivery)));
  },
});

export const getDelivery = route({
  summary: 'Get a delivery to an endpoint of the customer.',
  caller: reads,
  params: ['deliveryId'],
  response: { status: 200, schema: PortalDelivery },
  handler: async ({ caller, params }) => {
    const { projectId, deliveryId } = await ownDelivery(caller, params);
    return ok(present(PortalDelivery, await getProjectDelivery(projectId, deliveryId)));
  },
});

export const listAttempts = route({
  summary: 'List the stored attempts of a delivery to an endpoint of the customer.',
  caller: reads,
  params: ['deliveryId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Attempt) },
  handler: async ({ caller, params, query }) =>
    ok(await listDeliveryAttempts(caller, await ownDelivery(caller, params), query)),
});

export const getAttempt = route({
  summary: 'Get an attempt, including its request as it was sent to the customer.',
  caller: reads,
  params: ['deliveryId', 'attemptId'],
  response: { status: 200, schema: AttemptDetail },
  // Node writes large content in slices.
  servedBy: 'node',
  handler: async ({ caller, params }) => ok(await getDeliveryAttempt(caller, await ownDelivery(caller, params))),
});

export const retryDelivery = route({
  summary: 'Send a delivery to an endpoint of the customer again, now.',
  caller: manages,
  params: ['deliveryId'],
  errors: ['conflict'],
  response: { status: 202, schema: PortalDelivery },
  handler: async ({ caller, params }) => {
    const { projectId, deliveryId } = await ownDelivery(caller, params);
    return accepted(present(PortalDelivery, await retryProjectDelivery(projectId, deliveryId)));
  },
});

export const listEvents = route({
  summary: 'List the events of the customer, newest first, without their data.',
  caller: reads,
  query: ListPortalEventsQuery,
  response: { status: 200, schema: listingOf(PortalEvent) },
  isHeavy: true,
  handler: async ({ caller, query }) => ok(await listEventsOfCustomer(caller, query)),
});

export const listRouting = route({
  summary: 'Say of each endpoint of the customer whether an event went to it, and why not.',
  caller: reads,
  params: ['eventId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(PortalRoutingItem) },
  isHeavy: 'trial',
  handler: async ({ caller, params, query }) => {
    const listing = await listProjectRouting(caller, await ownEvent(caller, params), query, 'customer');
    return ok(mapListing(listing, (item) => present(PortalRoutingItem, item)));
  },
});

export const listEventTypes = route({
  summary: 'List the event types of the catalogue, and those that were sent to the customer.',
  caller: reads,
  query: ListPortalEventTypesQuery,
  response: { status: 200, schema: listingOf(EventTypeSummary) },
  handler: async ({ caller, query }) => ok(await listTypesOfCustomer(caller, query)),
});
