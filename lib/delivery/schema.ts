import * as z from 'zod';
import { CUSTOMER_FILTER, customerField, OF_CUSTOMER } from '@/lib/customers/schema';
import {
  DeliveryStatusFilter,
  EventData,
  EventListItem,
  EventType,
  EventTypePattern,
  SentEvent,
} from '@/lib/events/schema';
import { MAX_SECRET_GRACE_HOURS } from '@/lib/keys/grace-policy';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Instant, Time, UpdatedAt } from '@/lib/platform/instant';
import { METADATA } from '@/lib/platform/metadata';
import { httpUrlFault } from '@/lib/platform/net/parse-url';
import { PageQuery, SortedPageQuery } from '@/lib/platform/pagination';
import { text } from '@/lib/platform/text';
import { MAX_DESCRIPTION_CHARS, MAX_NEW_EVENT_TYPES, MAX_URL_CHARS } from './endpoint-fields-policy';
import {
  BodyFormat,
  EndpointHeaders,
  EndpointSignature,
  EndpointSignatureInput,
  RateLimit,
  STANDARD,
  Uid,
} from './endpoint-options-policy';
import { OPERATORS } from './filters/filter-policy';
import { RESPONSE_FILTER } from './response-filter-policy';
import { ROUTING_OUTCOMES } from './routing/routing-policy';

const MAX_RETRY_SECONDS = 7 * 24 * 60 * 60;

/** The URL of a receiver. Its address is checked at each connect, after DNS. */
export const TargetUrl = text(MAX_URL_CHARS).superRefine((value, context) => {
  const fault = httpUrlFault(value);
  if (fault !== null) context.addIssue({ code: 'custom', message: fault });
});

const RETRY_SECONDS = 'Seconds to wait before each retry; empty: the deployment’s schedule';
const TARGET_URL = 'Target URL: http or https, without a username or fragment';

const RetrySeconds = field(z.array(z.int().min(1).max(MAX_RETRY_SECONDS)).max(30), RETRY_SECONDS, [5, 300, 1800]);
export const FailingSince = field(
  Time.nullable(),
  'When attempts started to fail without a success; null if the last one succeeded',
  null,
);

/** What creates an endpoint, and a destination of a source. */
export const CREATE_TARGET = {
  url: field(TargetUrl, TARGET_URL, 'https://example.com/webhooks'),
  description: field(text(MAX_DESCRIPTION_CHARS).nullish(), 'What it is for', 'Billing'),
  enabled: field(z.boolean().default(true), 'Whether it is enabled'),
  retrySeconds: RetrySeconds.default([]),
};

/** What changes one of them. */
export const updateTarget = (noun: string) => ({
  url: field(TargetUrl.optional(), TARGET_URL),
  description: field(text(MAX_DESCRIPTION_CHARS).nullish(), 'What it is for'),
  enabled: field(z.boolean().optional(), 'Whether it is enabled'),
  pauseReason: field(text(200).nullish(), `Why it is paused; only if the ${noun} is not enabled`),
  retrySeconds: RetrySeconds.optional(),
});

/** What the API shows of either. */
export const TARGET = {
  url: field(z.string(), TARGET_URL, 'https://example.com/webhooks'),
  description: field(z.string().nullable(), 'What it is for', 'Billing'),
  enabled: field(z.boolean(), 'Whether it is enabled'),
  disabledReason: field(
    z.string().nullable(),
    '`gone`: it responded with 410. `failing`: every attempt failed for 120 hours. Null otherwise',
  ),
  disabledAt: field(Time.nullable(), 'When the service or a person disabled it; null while it is enabled', null),
  pauseReason: field(z.string().nullable(), 'Why a person paused it; null if no reason was given'),
  failingSince: FailingSince,
  retrySeconds: field(z.array(z.int()), RETRY_SECONDS, [5, 300, 1800]),
};

/** Types or patterns to subscribe a new endpoint to. An endpoint has one subscription for each. */
const EventTypes = z
  .array(EventTypePattern)
  .max(MAX_NEW_EVENT_TYPES)
  .superRefine((eventTypes, context) => {
    const seen = new Set<string>();
    for (const [index, eventType] of eventTypes.entries()) {
      if (seen.has(eventType)) context.addIssue({ code: 'custom', path: [index], message: 'appears more than once' });
      seen.add(eventType);
    }
  });

const HEADERS =
  'Headers that every request has, by name: at most 20, 4 KiB. `[redacted]` replaces the values for callers who cannot read the signing secret';
const SIGNATURE = 'What is sent beside the signature of Standard Webhooks';
const BODY_FORMAT = '`ENVELOPE`: type, time and data. `DATA`: the bytes of the data alone';
const FILTER =
  'Which events it gets: a condition on their type and data; null for all of those that it is subscribed to';
const RATE_LIMIT = 'How many attempts start at most; the others wait. Null for no limit';
const EXAMPLE_FILTER = { path: 'data.amount', op: 'gte', value: 1000 };
const Condition = z.record(z.string(), z.unknown());
const UID = 'Your own id of it, unique in the project';
const RECEIVES_CUSTOMER_EVENTS =
  'Whether it also gets the events of customers. Only for an endpoint without a customer';
const EXAMPLE_UID = 'acme-billing';
const EXAMPLE_HEADERS_SENT = { 'X-Api-Version': '2026-01' };
const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const EXAMPLE_EVENT_TYPES = ['order.*', 'user.created'];

export const CreateEndpointBody = z
  .strictObject({
    ...CREATE_TARGET,
    uid: field(Uid.nullish(), UID, EXAMPLE_UID),
    metadata: METADATA.create,
    headers: field(EndpointHeaders.default({}), HEADERS, EXAMPLE_HEADERS_SENT),
    secret: field(z.string().optional(), 'Its signing secret; by default a new one', EXAMPLE_SECRET),
    signature: field(EndpointSignatureInput.default(STANDARD), SIGNATURE),
    bodyFormat: field(BodyFormat.default('ENVELOPE'), BODY_FORMAT),
    filter: field(Condition.nullish(), FILTER, EXAMPLE_FILTER),
    rateLimit: field(RateLimit.nullish(), RATE_LIMIT),
    customer: customerField(
      'The id or uid of the customer that it belongs to; without one, it belongs to the project itself',
    ),
    receivesCustomerEvents: field(z.boolean().default(false), RECEIVES_CUSTOMER_EVENTS),
    eventTypes: field(
      EventTypes.default([]),
      'Event types, or patterns such as `order.*` and `*`, to subscribe it to; without them, it receives nothing yet',
      EXAMPLE_EVENT_TYPES,
    ),
  })
  // Not every field: one needs a customer, two exclude each other, and a secret of an example would be known to all.
  .meta({
    examples: [{ url: 'https://example.com/webhooks', description: 'Billing', eventTypes: EXAMPLE_EVENT_TYPES }],
  });
export type CreateEndpointBody = z.infer<typeof CreateEndpointBody>;

export const UpdateEndpointBody = z
  .strictObject({
    ...updateTarget('endpoint'),
    uid: field(Uid.nullish(), UID),
    metadata: METADATA.update,
    headers: field(EndpointHeaders.optional(), `${HEADERS}. Replaces all of them`),
    signature: field(EndpointSignatureInput.optional(), SIGNATURE),
    bodyFormat: field(BodyFormat.optional(), BODY_FORMAT),
    filter: field(Condition.nullish(), FILTER),
    rateLimit: field(RateLimit.nullish(), RATE_LIMIT),
    receivesCustomerEvents: field(z.boolean().optional(), RECEIVES_CUSTOMER_EVENTS),
  })
  .meta({ examples: [{ description: 'Billing', enabled: true }] });
export type UpdateEndpointBody = z.infer<typeof UpdateEndpointBody>;

export const Endpoint = z.object({
  id: Id,
  uid: field(z.string().nullable(), UID, EXAMPLE_UID),
  ...TARGET,
  metadata: METADATA.shown,
  headers: field(z.record(z.string(), z.string()), HEADERS, EXAMPLE_HEADERS_SENT),
  signature: field(EndpointSignature, SIGNATURE),
  bodyFormat: field(BodyFormat, BODY_FORMAT),
  filter: field(Condition.nullable(), FILTER, EXAMPLE_FILTER),
  rateLimit: field(RateLimit.nullable(), RATE_LIMIT),
  ...OF_CUSTOMER,
  receivesCustomerEvents: field(z.boolean(), RECEIVES_CUSTOMER_EVENTS),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Endpoint = z.infer<typeof Endpoint>;

export const EndpointListItem = Endpoint.extend({
  eventTypes: field(
    z.array(z.string()),
    'Event types and patterns of its enabled subscriptions, in alphabetical order, at most 20',
    ['order.*', 'user.created'],
  ),
  eventTypeCount: field(z.int(), 'Number of its enabled subscriptions, at most 1,000; 0: it receives nothing', 2),
  lastDeliveryAt: field(
    Time.nullable(),
    'When its newest delivery was created; null if there is none, or retention has removed it',
  ),
});
export type EndpointListItem = z.infer<typeof EndpointListItem>;

export const ENDPOINT_SORTS = ['createdAt', 'host', 'description', 'success', 'p95', 'lastDeliveryAt'] as const;
export type EndpointSort = (typeof ENDPOINT_SORTS)[number];

export const EndpointStateFilter = z.enum(['ENABLED', 'FAILING', 'PAUSED', 'DISABLED', 'UNSUBSCRIBED']);
export type EndpointStateFilter = z.infer<typeof EndpointStateFilter>;

export const ListEndpointsQuery = SortedPageQuery.extend({
  q: field(
    text(200).optional(),
    'Only the endpoint with this id, or endpoints with this text in their URL, description or uid, in upper or lower case',
    'example.com',
  ),
  uid: field(text(128).optional(), 'Only the endpoint with this uid', EXAMPLE_UID),
  customer: CUSTOMER_FILTER,
  state: field(
    EndpointStateFilter.optional(),
    '`ENABLED`: receives, and its last attempt did not fail. `FAILING`: its last attempts failed. `PAUSED`: by a person. `DISABLED`: by the service. ' +
      '`UNSUBSCRIBED`: enabled or failing, and receives nothing, because no subscription of it is enabled',
  ),
  sort: field(
    z.enum(ENDPOINT_SORTS.flatMap((name) => [name, `-${name}` as const])).default('-createdAt'),
    'A minus sign reverses the order: `success` has the lowest share of succeeded attempts in 24 hours first, `-p95` the slowest ' +
      'endpoint, `lastDeliveryAt` those without a delivery and then the one whose last delivery is longest ago',
    '-p95',
  ),
});
export type ListEndpointsQuery = z.infer<typeof ListEndpointsQuery>;

export const PreviousSecretExpiresAt = field(
  Time.nullable(),
  'When the previous secret stops being used; null if there is none',
  null,
);
export const GracePeriodHours = z.int().min(0).max(MAX_SECRET_GRACE_HOURS).default(24);

export const RotateSecretBody = z.strictObject({
  gracePeriodHours: field(GracePeriodHours, 'Hours that the old secret stays valid', 24),
});
export type RotateSecretBody = z.infer<typeof RotateSecretBody>;

export const RotateEndpointSecretBody = RotateSecretBody.extend({
  secret: field(z.string().optional(), 'The new secret; by default a generated one', EXAMPLE_SECRET),
});
export type RotateEndpointSecretBody = z.infer<typeof RotateEndpointSecretBody>;

export const TestFilterBody = z.strictObject({
  filter: field(Condition, 'The condition', EXAMPLE_FILTER),
  type: field(EventType, 'The type of the event', 'order.paid'),
  data: field(EventData, 'The data of the event', { amount: 4200 }),
});
export type TestFilterBody = z.infer<typeof TestFilterBody>;

export const FailedCondition = z.object({
  path: field(z.string(), 'What it reads', 'data.amount'),
  op: field(z.enum(OPERATORS), 'Its operator', 'gte'),
  value: field(z.unknown(), 'Its value', 1000),
  actual: field(
    z.unknown(),
    'What the event has there; null also if it has nothing. Of over 256 characters of JSON, a string: its start, and an ellipsis',
    42,
  ),
});

export const FilterTest = z.object({
  matches: field(z.boolean(), 'Whether the event matches'),
  failed: field(
    z.array(FailedCondition),
    'The conditions that keep it from matching; below `not`, those that are true',
  ),
});
export type FilterTest = z.infer<typeof FilterTest>;

export const PreviewFilterBody = z.strictObject({
  filter: field(Condition, 'The condition', EXAMPLE_FILTER),
  eventTypes: field(
    z.array(EventTypePattern).min(1).max(100).optional(),
    'Only events of these types or patterns, such as those that an endpoint is subscribed to',
    ['order.*'],
  ),
});
export type PreviewFilterBody = z.infer<typeof PreviewFilterBody>;

export const TriedEvent = FilterTest.extend({
  id: field(Id, 'The event'),
  type: field(z.string(), 'Its type', 'order.paid'),
  createdAt: CreatedAt,
});
export type TriedEvent = z.infer<typeof TriedEvent>;

export const FilterPreview = z.object({
  checked: field(z.int(), 'Number of events that were tried', 50),
  matching: field(z.int(), 'Number of those that match', 12),
  events: field(z.array(TriedEvent), 'These events, newest first'),
});
export type FilterPreview = z.infer<typeof FilterPreview>;

export const EndpointSecret = z.object({
  secret: field(z.string(), 'The signing secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  previousSecretExpiresAt: PreviousSecretExpiresAt,
});
export type EndpointSecret = z.infer<typeof EndpointSecret>;

const HeaderList = z.array(z.tuple([z.string(), z.string()]));

/** Where the time of an attempt went. */
export const AttemptTiming = z.object({
  reusedConnection: field(
    z.boolean(),
    'Whether an open connection was reused, without DNS, connect and TLS steps',
    false,
  ),
  dnsMs: field(z.number().nullable(), 'Duration of the DNS lookup; null if there was none', 11.8),
  connectMs: field(z.number().nullable(), 'Duration of connecting; null if there was no connect step', 14.2),
  tlsMs: field(z.number().nullable(), 'Duration of the TLS handshake; null if there was none', 28.9),
  firstByteMs: field(
    z.number().nullable(),
    'Time from the start until the response headers arrived; null if they did not',
    84.6,
  ),
});
export type AttemptTiming = z.infer<typeof AttemptTiming>;

/** A request as it was sent. */
export const SentRequest = z.object({
  method: field(z.literal('POST'), 'Always POST'),
  url: field(
    z.string().nullable(),
    'The URL it was sent to, with the query string of an incoming event; null if the URL has changed since',
    'https://example.com/webhooks',
  ),
  headers: field(
    HeaderList,
    'In the order they were sent. `[redacted]` replaces credentials, and signatures for callers who cannot read the signing secret',
    [
      ['host', 'example.com'],
      ['content-type', 'application/json'],
      ['webhook-id', '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84'],
    ],
  ),
  body: field(
    z.string().nullable(),
    'The body as text; null if it is not UTF-8',
    '{"type":"order.paid","timestamp":"2026-01-31T09:30:00.000Z","data":{"orderId":"ord_8f2c1"}}',
  ),
  bodyBase64: field(z.string().nullable(), 'The body in Base64 if it is not UTF-8; null otherwise'),
  bodyTruncated: field(z.boolean(), 'Whether this is only the start of the body: the first 512 KiB', false),
});
export type SentRequest = z.infer<typeof SentRequest>;

const KeptRequest = field(
  SentRequest.nullable(),
  'The request as it was sent; null if nothing was sent, or if an earlier version did not store it',
);

/** What an attempt and a test both have. */
const Exchanged = z.object({
  durationMs: field(z.int(), 'How long it took, in milliseconds', 87),
  responseStatus: field(z.int().nullable(), 'HTTP status of the response; null if there was none', 200),
  responseBody: field(z.string().nullable(), 'The start of the response body; null if there was no response', 'ok'),
  responseHeaders: field(
    HeaderList.nullable(),
    'The response headers, with credentials redacted; null if they were not stored',
    [['content-type', 'text/plain']],
  ),
  responseHeadersTruncated: field(
    z.boolean(),
    'Whether the response had more headers than the stored 64, or 4 KiB',
    false,
  ),
  remoteAddress: field(
    z.string().nullable(),
    'IP address and port of the receiver; null if there was no connection, or if the address is not public',
    '203.0.113.7:443',
  ),
  timing: field(
    AttemptTiming.nullable(),
    'Duration of each step; null if nothing was sent, or if an earlier version did not measure it',
  ),
  error: field(z.string().nullable(), 'What went wrong; null if nothing did'),
  succeeded: field(z.boolean(), 'Whether the response had a 2xx status and arrived completely'),
});
export type Exchanged = z.infer<typeof Exchanged>;

/** What a test sends. */
export const TestEndpointBody = z.strictObject({
  type: field(EventType.default('endpoint.test'), 'The type of the test event', 'order.paid'),
  data: field(EventData.optional(), 'Default: an object with a message', {
    orderId: 'ord_8f2c1',
    amount: 4200,
    currency: 'EUR',
  }),
});
export type TestEndpointBody = z.infer<typeof TestEndpointBody>;

export const TestResult = Exchanged.extend({
  startedAt: field(Time, 'When it started'),
  request: KeptRequest,
});
export type TestResult = z.infer<typeof TestResult>;

const MAX_HEADER_CHARS = 64 * 1024;
/** Base64 of 512 KiB, which sources take. Each route has its own limit of what it decodes to. */
const MAX_BASE64_CHARS = 700_000;

const EXAMPLE_HEADERS =
  'webhook-id: 0197b6a0-4c1e-7cc3-a6dd-0f6c5f7c3a11\nwebhook-timestamp: 1769851800\nwebhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=';

export const VerifySignatureBody = z
  .strictObject({
    headers: field(
      z.string().max(MAX_HEADER_CHARS, 'must have at most 65,536 characters'),
      'The headers as received: a line of `name: value` each, or a JSON object',
      EXAMPLE_HEADERS,
    ),
    body: field(z.string().optional(), 'The raw body as received, as text in UTF-8', '{"order":"ord_8f2c1"}'),
    bodyBase64: field(
      z
        .string()
        .max(MAX_BASE64_CHARS, 'is too long')
        .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be Base64')
        .optional(),
      'The raw body in Base64, byte for byte, in place of `body`',
    ),
    receivedAt: field(Instant.optional(), 'When the request was received; default: now'),
  })
  .refine(({ body, bodyBase64 }) => (body === undefined) !== (bodyBase64 === undefined), {
    error: 'Give body or bodyBase64.',
  })
  .meta({ examples: [{ headers: EXAMPLE_HEADERS, body: '{"order":"ord_8f2c1"}' }] });
export type VerifySignatureBody = z.infer<typeof VerifySignatureBody>;

export const SignatureReason = z.enum([
  'verified',
  'timestamp_too_old',
  'timestamp_in_future',
  'missing_header',
  'malformed_header',
  'redacted_header',
  'other_scheme',
  'signature_encoding',
  'no_secret',
  'wrong_secret',
  'secret_encoding',
  'secret_whitespace',
  'secret_of_another',
  'secret_rotated_out',
  'body_byte_order_mark',
  'body_line_breaks',
  'body_whitespace',
  'body_utf16',
  'body_latin1',
  'body_base64',
  'body_reserialized',
  'body_changed',
  'no_match',
]);
export type SignatureReason = z.infer<typeof SignatureReason>;

/** Texts on one line, in which control characters are escaped. */
export const SignatureDifference = z.object({
  offset: field(z.int(), 'Number of bytes before the first one that differs', 21),
  before: field(z.string(), 'The end of what both bodies have in common', '{"type":"order.paid",'),
  signed: field(z.string(), 'How the body that was signed continues; empty at its end', '"data":1'),
  received: field(z.string(), 'How the received body continues; empty at its end', ' "data": 1'),
});
export type SignatureDifference = z.infer<typeof SignatureDifference>;

export const SignatureCheck = z.object({
  verified: field(z.boolean(), 'Whether a receiver accepts the signature', false),
  reason: field(SignatureReason, 'Why it verifies or not', 'body_reserialized'),
  detail: field(z.string(), 'The reason in words', 'The body was parsed and serialized again.'),
  signedWith: field(
    z.enum(['current', 'previous']).nullable(),
    'The secret that signed the request: the current one, or the previous one while it is valid; null if neither did',
    'current',
  ),
  signedAt: field(Time.nullable(), 'The signed time; null without one'),
  ageSeconds: field(
    z.int().nullable(),
    'How much older the signed time is than the request, in seconds; negative in the future. More than 300 either way is refused',
    2,
  ),
  difference: field(
    SignatureDifference.nullable(),
    'Where the body differs from what was signed or sent; null if that is not known',
  ),
});
export type SignatureCheck = z.infer<typeof SignatureCheck>;

const PATTERN = 'An exact type, `order.*` for all types that start with `order.`, or `*` for all types';

export const ListSubscriptionsQuery = PageQuery.extend({
  endpointId: field(Id.optional(), 'Only subscriptions of this endpoint'),
  customer: CUSTOMER_FILTER,
  matches: field(EventType.optional(), 'Only enabled subscriptions that events of this type match', 'order.paid'),
});

export const CreateSubscriptionBody = z.strictObject({
  endpointId: field(Id, 'The endpoint'),
  eventType: field(EventTypePattern, PATTERN, 'order.paid'),
  enabled: field(z.boolean().default(true), 'Whether it is enabled'),
});
export type CreateSubscriptionBody = z.infer<typeof CreateSubscriptionBody>;

export const UpdateSubscriptionBody = z.strictObject({
  eventType: field(EventTypePattern.optional(), PATTERN, 'order.*'),
  enabled: field(z.boolean().optional(), 'Whether it is enabled'),
});
export type UpdateSubscriptionBody = z.infer<typeof UpdateSubscriptionBody>;

export const Subscription = z.object({
  id: Id,
  endpointId: field(Id, 'The endpoint'),
  eventType: field(z.string(), PATTERN, 'order.paid'),
  enabled: field(z.boolean(), 'Whether it is enabled'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Subscription = z.infer<typeof Subscription>;

export const DeliveryStatus = z.enum(['PENDING', 'SUCCEEDED', 'FAILED']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const Delivery = z.object({
  id: Id,
  status: field(DeliveryStatus, 'Whether it is waiting, succeeded or failed', 'SUCCEEDED'),
  eventId: field(Id.nullable(), 'The event; null for a forward'),
  incomingEventId: field(Id.nullable(), 'The incoming event of a forward; null for an event', null),
  eventType: field(z.string().nullable(), 'The type of the event; null for a forward', 'order.paid'),
  endpointId: field(Id.nullable(), 'The endpoint; null for a forward'),
  destinationId: field(Id.nullable(), 'The destination of a forward; null for an event', null),
  targetUrl: field(z.string(), 'URL of the endpoint or destination, even after it is deleted'),
  sourceId: field(Id.nullable(), 'The source of the incoming event'),
  attemptCount: field(z.int(), 'Number of attempts so far'),
  storedAttempts: field(
    z.int(),
    'Number of attempts that retention has not removed. Exact for a single delivery; lists, and deliveries within an event, ' +
      'may still count attempts whose partition has been dropped',
  ),
  nextAttemptAt: field(Time.nullable(), 'When the next attempt is due; null if there is none', null),
  lastAttemptAt: field(Time.nullable(), 'When the last attempt started; null before the first one'),
  lastResponseStatus: field(z.int().nullable(), 'HTTP status of the last attempt; null if there was no response', 200),
  lastError: field(z.string().nullable(), 'Why the last attempt failed; null if it succeeded'),
  completedAt: field(Time.nullable(), 'When it ended; null before that'),
  createdAt: CreatedAt,
});
export type Delivery = z.infer<typeof Delivery>;

/** An event with its deliveries. */
export const EventDetail = SentEvent.extend({
  fanOutStatus: EventListItem.shape.fanOutStatus,
  deliveries: field(z.array(Delivery), 'One delivery for each endpoint with a matching subscription'),
  data: field(EventData, 'The payload, as it was sent', { orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR' }),
});
export type EventDetail = z.infer<typeof EventDetail>;

export const SendToEndpointBody = z.strictObject({ endpointId: field(Id, 'The endpoint') });
export type SendToEndpointBody = z.infer<typeof SendToEndpointBody>;

export const ListRoutingQuery = PageQuery.extend({
  all: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'Whether to include the endpoints of other customers', openapi: { type: 'boolean' } }),
});
export type ListRoutingQuery = z.infer<typeof ListRoutingQuery>;

/** Whether an event went to an endpoint, and why not. */
export const RoutingItem = z.object({
  endpointId: field(Id, 'The endpoint'),
  url: TARGET.url,
  customerId: field(Id.nullable(), 'The customer of the endpoint; null for one of the project itself', null),
  outcome: field(
    z.enum(ROUTING_OUTCOMES),
    '`SENT`: the event was, or is about to be, sent to it. `NOT_SUBSCRIBED`: no enabled subscription matches, or it does not receive events of customers. ' +
      '`FILTERED`: its filter leaves the event out. `DISABLED`: it was disabled. `OTHER_CUSTOMER`: it belongs to another customer. ' +
      '`CREATED_LATER`: it was created after the event. `DELETED`: it is deleted. `UNKNOWN`: its subscriptions or filter changed since',
    'FILTERED',
  ),
  reason: field(
    z.string(),
    'What decided, for people, and what would change it. Its words may change',
    'Its filter leaves the event out: data.amount is 42, and it wants data.amount is at least 1000. Send this event to it.',
  ),
  deliveryId: field(Id.nullable(), 'The delivery of the event to this endpoint; null without one', null),
});
export type RoutingItem = z.infer<typeof RoutingItem>;

export const Attempt = Exchanged.extend({
  id: Id,
  attemptNumber: field(z.int(), 'Number of the attempt, starting at 1'),
  startedAt: field(Time, 'When it started'),
});
export type Attempt = z.infer<typeof Attempt>;

export const AttemptDetail = Attempt.extend({ request: KeptRequest });
export type AttemptDetail = z.infer<typeof AttemptDetail>;

export const ListTargetsQuery = z.strictObject({
  q: field(
    text(200).optional(),
    'Only the target with this id, or targets with this text in their URL, description or uid, in upper or lower case',
    'example.com',
  ),
});
export type ListTargetsQuery = z.infer<typeof ListTargetsQuery>;

/** An endpoint, or a destination of a source. */
export const DeliveryTarget = z.object({
  endpointId: field(Id.nullable(), 'The endpoint; null for a destination'),
  destinationId: field(Id.nullable(), 'The destination; null for an endpoint', null),
  sourceId: field(Id.nullable(), 'The source of the destination; null for an endpoint', null),
  url: TARGET.url,
  description: TARGET.description,
});
export type DeliveryTarget = z.infer<typeof DeliveryTarget>;

export const DeliveryTargetList = z.object({
  data: field(z.array(DeliveryTarget), 'At most 20: endpoints, then destinations, each from the newest on'),
});
export type DeliveryTargetList = z.infer<typeof DeliveryTargetList>;

const DELIVERY_FILTERS = {
  id: field(Id.optional(), 'Only the delivery with this id, or deliveries of the event with this id'),
  eventType: field(EventTypePattern.optional(), 'Only deliveries of events of this type or pattern'),
  responseStatus: field(
    z.string().regex(RESPONSE_FILTER, 'must be a status code such as 503, a class such as 5xx, or none').optional(),
    'Only deliveries with this last response: a status code, a class such as `5xx`, or `none` for no response',
  ),
  endpointId: field(Id.optional(), 'Only items of this endpoint'),
  customer: customerField('Only deliveries to endpoints of the customer with this id or uid'),
  eventId: field(Id.optional(), 'Only deliveries of this event'),
  destinationId: field(Id.optional(), 'Only deliveries to this destination'),
  incomingEventId: field(Id.optional(), 'Only forwards of this incoming event'),
  from: field(Instant.optional(), 'Only deliveries of events at or after this time'),
  to: field(Instant.optional(), 'Only deliveries of events at or before this time'),
};
const ListedStatus = field(
  DeliveryStatusFilter.optional(),
  '`QUEUED`: before the first attempt. `RETRYING`: waiting for another attempt. `PENDING`: either. `UNDELIVERED`: `RETRYING` or `FAILED`',
);

export const ListDeliveriesQuery = PageQuery.extend({ status: ListedStatus, ...DELIVERY_FILTERS });
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;

export const CountDeliveriesQuery = z.strictObject({ status: ListedStatus, ...DELIVERY_FILTERS });
export type CountDeliveriesQuery = z.infer<typeof CountDeliveriesQuery>;

export const DeliveryCount = z.object({
  count: field(z.int(), 'Number of matching deliveries'),
  isExact: field(z.boolean(), 'Whether the count is exact; if not, there are more'),
});
export type DeliveryCount = z.infer<typeof DeliveryCount>;

/** What a bulk retry chooses deliveries by. Those that are queued are sent anyway. */
export const BulkRetryFilter = z.strictObject({
  status: field(
    DeliveryStatusFilter.exclude(['PENDING', 'QUEUED']).optional(),
    'Only deliveries with this status. Default: `FAILED`; with `deliveryIds`, either status',
  ),
  ...DELIVERY_FILTERS,
});
export type BulkRetryFilter = z.infer<typeof BulkRetryFilter>;

export const CreateBulkRetryBody = BulkRetryFilter.extend({
  deliveryIds: field(z.array(Id).min(1).max(1000).optional(), 'Only these deliveries'),
}).meta({
  examples: [
    { status: 'FAILED', endpointId: '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84', from: '2026-01-31T09:30:00.000Z' },
  ],
});
export type CreateBulkRetryBody = z.infer<typeof CreateBulkRetryBody>;

/** How often a job fails in a row, and why. */
export const TRIES = {
  failedTries: field(z.int(), 'Tries in a row that have failed. The 13th ends it, over an hour after the first', 0),
  error: field(z.string().nullable(), 'Why it has failed, or its last try has; null otherwise', null),
};

export const BulkRetryStatus = z.enum(['RUNNING', 'COMPLETED', 'CANCELED', 'FAILED']);
export type BulkRetryStatus = z.infer<typeof BulkRetryStatus>;

export const BulkRetry = z.object({
  id: Id,
  status: field(BulkRetryStatus, 'The current status'),
  filter: field(z.record(z.string(), z.string()), 'Which deliveries it retries'),
  total: field(z.int(), 'Number of matching deliveries when it was created'),
  retried: field(z.int(), 'Number of deliveries that are due again'),
  skipped: field(
    z.object({
      pending: field(z.int(), 'An attempt is in progress, or due within 30 seconds', 0),
      disabled: field(z.int(), 'The endpoint or destination is paused or disabled'),
      deleted: field(z.int(), 'The endpoint or destination is deleted'),
      gone: field(z.int(), 'Removed by retention, or no longer matching; counted at the end'),
    }),
    'Number of deliveries that are not retried, by reason',
  ),
  ...TRIES,
  createdAt: CreatedAt,
  completedAt: field(Time.nullable(), 'When it ended; null before that', null),
});
export type BulkRetry = z.infer<typeof BulkRetry>;

/** Which deliveries an event replay makes. */
export const EventReplaySelect = z.enum(['MISSING', 'FAILED', 'ALL']);
export type EventReplaySelect = z.infer<typeof EventReplaySelect>;

export const CreateEventReplayBody = z
  .strictObject({
    from: field(Instant, 'Events from this time on. They must still be stored'),
    to: field(Instant.optional(), 'Events until this time. Default: now'),
    endpointId: field(Id.optional(), 'Only to this endpoint. It must be enabled'),
    customer: customerField('Only to the endpoints of the customer with this id or uid'),
    eventType: field(EventTypePattern.optional(), 'Only events of this type or pattern'),
    select: field(
      EventReplaySelect.default('MISSING'),
      '`MISSING`: what subscriptions and filters would send now, and has no delivery. `FAILED`: failed deliveries. `ALL`: both, and deliveries that succeeded',
    ),
    dryRun: field(z.boolean().default(false), 'Only counts the deliveries that would be sent'),
  })
  .refine(({ endpointId, customer }) => endpointId === undefined || customer === undefined, {
    path: ['customer'],
    error: 'must not be given with endpointId',
  })
  .meta({
    examples: [{ from: '2026-01-31T09:30:00.000Z', endpointId: '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84' }],
  });
export type CreateEventReplayBody = z.infer<typeof CreateEventReplayBody>;

export const EventReplayStatus = z.enum(['RUNNING', 'COMPLETED', 'CANCELED', 'FAILED']);
export type EventReplayStatus = z.infer<typeof EventReplayStatus>;

export const EventReplay = z.object({
  id: Id,
  status: field(EventReplayStatus, 'The current status'),
  select: field(EventReplaySelect, 'Which deliveries it makes'),
  from: field(Time, 'Events from this time on'),
  to: field(Time, 'Events until this time'),
  endpointId: field(Id.nullable(), 'Only to this endpoint; null for any'),
  customerId: field(Id.nullable(), 'Only to endpoints of this customer; null for any', null),
  eventType: field(EventTypePattern.nullable(), 'Only events of this type or pattern; null for any', null),
  total: field(z.int(), 'Number of events to look at, when it was created'),
  checked: field(z.int(), 'Number of events that it has looked at'),
  sent: field(z.int(), 'Number of deliveries that it has made due'),
  skipped: field(
    z.object({
      pending: field(z.int(), 'Events that are still being turned into deliveries, and deliveries that wait', 0),
      disabled: field(
        z.int(),
        'Deliveries to a paused or disabled endpoint; for an endpoint that was disabled meanwhile, the events that were left',
      ),
      deleted: field(z.int(), 'The same for deleted endpoints'),
      gone: field(z.int(), 'Events that retention removed meanwhile; counted at the end'),
    }),
    'What is not sent, by reason',
  ),
  ...TRIES,
  createdAt: CreatedAt,
  completedAt: field(Time.nullable(), 'When it ended; null before that', null),
});
export type EventReplay = z.infer<typeof EventReplay>;

export const EventReplayPreview = z.object({
  count: field(z.int(), 'Number of deliveries that would be sent'),
  isExact: field(z.boolean(), 'Whether the count is exact; if not, there may be more'),
});
export type EventReplayPreview = z.infer<typeof EventReplayPreview>;
