import { personOrKey } from '@/lib/api/callers';
import { resolveCustomer } from '@/lib/customers/customers';
import { checkEndpointSignature } from '@/lib/delivery/endpoints/check-signature';
import {
  createEndpoint,
  deleteEndpoint,
  endPreviousSecret as endPreviousEndpointSecret,
  getEndpoint,
  revealSecret,
  rotateSecret as rotateEndpointSecret,
  updateEndpoint,
} from '@/lib/delivery/endpoints/endpoints';
import { evaluateFilter, previewFilter as previewFilterOfProject } from '@/lib/delivery/endpoints/evaluate-filter';
import { testEndpoint } from '@/lib/delivery/endpoints/test-endpoint';
import {
  CreateEndpointBody,
  Endpoint,
  EndpointListItem,
  EndpointSecret,
  FilterPreview,
  FilterTest,
  ListEndpointsQuery,
  PreviewFilterBody,
  RotateEndpointSecretBody,
  SignatureCheck,
  TestEndpointBody,
  TestFilterBody,
  TestResult,
  UpdateEndpointBody,
  VerifySignatureBody,
} from '@/lib/delivery/schema';
import { memberText } from '@/lib/events/member-text';
import { refuseLargeData } from '@/lib/events/send-event';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { inThreadTurnOfProject } from '@/lib/orgs/tenant';
import { systemClock } from '@/lib/platform/clock';
import { recheckStale } from '@/lib/platform/connection-shares';
import { listingOf } from '@/lib/platform/pagination';
import { listEndpoints } from '@/lib/stats/list-endpoints';
import { listOutages as listOutagesOf } from '@/lib/stats/outages';
import { OutageList } from '@/lib/stats/schema';

const reads = personOrKey('endpoint.read', 'read');
const writes = personOrKey('endpoint.manage', 'write');
const handlesSecret = personOrKey('endpoint.secret', 'write');

export const list = route({
  summary: 'List the endpoints of a project, newest first unless sorted otherwise.',
  caller: reads,
  params: ['projectId'],
  query: ListEndpointsQuery,
  response: { status: 200, schema: listingOf(EndpointListItem) },
  handler: async ({ caller, params, query }) =>
    ok(await listEndpoints(caller, params.projectId, await resolveCustomer(params.projectId, query), systemClock)),
});

export const create = route({
  summary: 'Create an endpoint with its own signing secret, subscribed to event types.',
  caller: writes,
  params: ['projectId'],
  body: CreateEndpointBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: Endpoint },
  handler: async ({ caller, params, body, bodyText }) =>
    created(await createEndpoint(caller, params.projectId, withFilterText(body, bodyText))),
});

/** A filter is kept as it was sent: its numbers are exact. */
function withFilterText<Body extends { filter?: unknown }>(body: Body, bodyText: string) {
  const { filter, ...others } = body;
  return {
    ...others,
    ...(filter === undefined ? {} : { filter: filter === null ? null : memberText(bodyText, 'filter') }),
  };
}

export const get = route({
  summary: 'Get an endpoint.',
  caller: reads,
  params: ['projectId', 'endpointId'],
  response: { status: 200, schema: Endpoint },
  handler: async ({ caller, params }) => ok(await getEndpoint(caller, params)),
});

export const update = route({
  summary: 'Change an endpoint.',
  caller: writes,
  params: ['projectId', 'endpointId'],
  body: UpdateEndpointBody,
  response: { status: 200, schema: Endpoint },
  handler: async ({ caller, params, body, bodyText }) =>
    ok(await updateEndpoint(caller, params, withFilterText(body, bodyText), systemClock())),
});

export const remove = route({
  summary: 'Delete an endpoint, its subscriptions and its secrets.',
  caller: writes,
  params: ['projectId', 'endpointId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteEndpoint(caller, params, systemClock());
    return noContent();
  },
});

export const getSecret = route({
  summary: 'Reveal the signing secret of an endpoint.',
  caller: handlesSecret,
  params: ['projectId', 'endpointId'],
  response: { status: 200, schema: EndpointSecret, sensitive: true },
  handler: async ({ caller, params }) => ok(await revealSecret(caller, params, systemClock())),
});

export const rotateSecret = route({
  summary: 'Replace the signing secret of an endpoint; the old one stays valid for a grace period.',
  caller: handlesSecret,
  params: ['projectId', 'endpointId'],
  body: RotateEndpointSecretBody,
  bodyOptional: true,
  response: { status: 200, schema: EndpointSecret, sensitive: true },
  handler: async ({ caller, params, body }) => ok(await rotateEndpointSecret(caller, params, body, systemClock())),
});

export const endPreviousSecret = route({
  summary: 'End the previous signing secret of an endpoint before its grace period does.',
  caller: handlesSecret,
  params: ['projectId', 'endpointId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await endPreviousEndpointSecret(caller, params);
    return noContent();
  },
});

export const test = route({
  summary: 'Send a signed test event to an endpoint and get the request and response.',
  caller: writes,
  params: ['projectId', 'endpointId'],
  body: TestEndpointBody,
  bodyOptional: true,
  errors: ['payload_too_large', 'rate_limited'],
  response: { status: 200, schema: TestResult },
  handler: async ({ caller, params, body, bodyText }) => {
    const data = memberText(bodyText, 'data');
    if (data !== null) refuseLargeData(data);
    const result = await testEndpoint(caller, params, { type: body.type, data }, systemClock());
    // The receiver may have taken seconds, and the result has a signature.
    await recheckStale();
    return ok(result);
  },
});

export const testFilter = route({
  summary: 'Say whether an event matches a filter, and which conditions keep it from that.',
  caller: reads,
  params: ['projectId'],
  body: TestFilterBody,
  errors: ['payload_too_large'],
  response: { status: 200, schema: FilterTest },
  handler: async ({ caller, params, body, bodyText }) => {
    const [filter = '', data = ''] = ['filter', 'data'].map((name) => memberText(bodyText, name) ?? '');
    refuseLargeData(data);
    const evaluate = () => evaluateFilter({ filter, type: body.type, data });
    return ok(await inThreadTurnOfProject(caller, params.projectId, evaluate));
  },
});

export const previewFilter = route({
  summary: 'Say which of the newest events of a project match a filter, and what keeps the others from that.',
  caller: personOrKey('event.read', 'read'),
  params: ['projectId'],
  body: PreviewFilterBody,
  response: { status: 200, schema: FilterPreview },
  isHeavy: 'trial',
  handler: async ({ caller, params, body: { eventTypes = [] }, bodyText }) =>
    ok(await previewFilterOfProject(caller, params.projectId, memberText(bodyText, 'filter') ?? '', eventTypes)),
});

/** The Base64 of 257 KiB, and headers. */
const CHECK_LIMIT_BYTES = 448 * 1024;

export const verifySignature = route({
  summary: 'Check the signature of a request that an endpoint’s receiver got, and say why it does not verify.',
  // Viewers learn only whether a request that they have is genuine: secrets that can be guessed are not compared for them.
  caller: reads,
  params: ['projectId', 'endpointId'],
  body: VerifySignatureBody,
  bodyLimitBytes: CHECK_LIMIT_BYTES,
  response: { status: 200, schema: SignatureCheck },
  isHeavy: true,
  handler: async ({ caller, params, body }) => ok(await checkEndpointSignature(caller, params, body, systemClock())),
});

export const listOutages = route({
  summary: 'Get the newest outages of an endpoint, and how many deliveries of each have not arrived.',
  caller: personOrKey('delivery.read', 'read'),
  params: ['projectId', 'endpointId'],
  response: { status: 200, schema: OutageList },
  isHeavy: true,
  handler: async ({ caller, params }) =>
    ok(await listOutagesOf('endpointId', await getEndpoint(caller, params), params.projectId, systemClock)),
});
