import * as z from 'zod';
import {
  DeliveryStatusFilter,
  EventData,
  EventSummary,
  EventType,
  EventTypePattern,
  FanOutStatus,
} from '@/lib/events/schema';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { text } from '@/lib/platform/text';
import { RESPONSE_FILTER } from './response-filter-policy';

const MAX_URL_CHARS = 2048;
const MAX_RETRY_SECONDS = 7 * 24 * 60 * 60;

function urlFault(value: string): string | null {
  if (!URL.canParse(value)) return 'must be an absolute URL';
  const { protocol, username, password, hash } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:') return 'must start with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a username or password';
  return hash === '' ? null : 'must not have a fragment';
}

/** The URL of a receiver. Its address is checked at each connect, after DNS. */
export const TargetUrl = text(MAX_URL_CHARS).superRefine((value, context) => {
  const fault = urlFault(value);
  if (fault !== null) context.addIssue({ code: 'custom', message: fault });
});

export const RetrySeconds = z
  .array(z.int().min(1).max(MAX_RETRY_SECONDS))
  .max(30)
  .meta({ description: 'Seconds to wait before each retry; empty: the deployment’s schedule' });

export const CreateEndpointBody = z.strictObject({
  url: TargetUrl,
  description: text(500).nullish(),
  enabled: z.boolean().default(true),
  retrySeconds: RetrySeconds.default([]),
});
export type CreateEndpointBody = z.infer<typeof CreateEndpointBody>;

export const UpdateEndpointBody = z.strictObject({
  url: TargetUrl.optional(),
  description: text(500).nullish(),
  enabled: z.boolean().optional(),
  pauseReason: text(200).nullish().meta({ description: 'Why it is paused; only if the endpoint is not enabled' }),
  retrySeconds: RetrySeconds.optional(),
});
export type UpdateEndpointBody = z.infer<typeof UpdateEndpointBody>;

export const Endpoint = z.object({
  id: Id,
  url: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabledReason: z.string().nullable(),
  disabledAt: z.string().nullable(),
  pauseReason: z.string().nullable(),
  failingSince: z.string().nullable(),
  retrySeconds: z.array(z.int()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Endpoint = z.infer<typeof Endpoint>;

export const EndpointSecret = z.object({ secret: z.string(), previousSecretExpiresAt: z.string().nullable() });
export type EndpointSecret = z.infer<typeof EndpointSecret>;

const HeaderList = z.array(z.tuple([z.string(), z.string()]));

/** Where the time of an attempt went. */
export const AttemptTiming = z.object({
  reusedConnection: z.boolean(),
  dnsMs: z.number().nullable(),
  connectMs: z.number().nullable(),
  tlsMs: z.number().nullable(),
  firstByteMs: z.number().nullable(),
});
export type AttemptTiming = z.infer<typeof AttemptTiming>;

/** A request as it was sent. */
export const SentRequest = z.object({
  method: z.literal('POST'),
  url: z.string().nullable(),
  headers: HeaderList,
  body: z.string().nullable(),
  bodyBase64: z.string().nullable(),
});
export type SentRequest = z.infer<typeof SentRequest>;

/** What an attempt and a test both have. */
const Exchanged = z.object({
  durationMs: z.int(),
  responseStatus: z.int().nullable(),
  responseBody: z.string().nullable(),
  responseHeaders: HeaderList.nullable(),
  responseHeadersTruncated: z.boolean(),
  remoteAddress: z.string().nullable(),
  timing: AttemptTiming.nullable(),
  error: z.string().nullable(),
  succeeded: z.boolean(),
});
export type Exchanged = z.infer<typeof Exchanged>;

/** What a test sends. */
export const TestEndpointBody = z.strictObject({
  type: EventType.default('endpoint.test'),
  data: EventData.optional().meta({ description: 'Default: an object with a message' }),
});
export type TestEndpointBody = z.infer<typeof TestEndpointBody>;

export const TestResult = Exchanged.extend({ startedAt: z.string(), request: SentRequest.nullable() });
export type TestResult = z.infer<typeof TestResult>;

export const CreateSubscriptionBody = z.strictObject({
  endpointId: Id,
  eventType: EventTypePattern,
  enabled: z.boolean().default(true),
});
export type CreateSubscriptionBody = z.infer<typeof CreateSubscriptionBody>;

export const UpdateSubscriptionBody = z.strictObject({
  eventType: EventTypePattern.optional(),
  enabled: z.boolean().optional(),
});
export type UpdateSubscriptionBody = z.infer<typeof UpdateSubscriptionBody>;

export const Subscription = z.object({
  id: Id,
  endpointId: Id,
  eventType: z.string(),
  enabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Subscription = z.infer<typeof Subscription>;

export const DeliveryStatus = z.enum(['PENDING', 'SUCCEEDED', 'FAILED']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const Delivery = z.object({
  id: Id,
  status: DeliveryStatus,
  eventId: Id.nullable(),
  incomingEventId: Id.nullable(),
  eventType: z.string().nullable(),
  endpointId: Id.nullable(),
  destinationId: Id.nullable(),
  targetUrl: z.string().meta({ description: 'URL of the endpoint or destination, even after it is deleted' }),
  sourceId: Id.nullable().meta({ description: 'The source of the incoming event' }),
  attemptCount: z.int(),
  storedAttempts: z.int().meta({
    description:
      'Number of attempts that retention has not removed. Exact for a single delivery; lists, and deliveries within an event, ' +
      'may still count attempts whose partition has been dropped',
  }),
  nextAttemptAt: z.string().nullable(),
  lastAttemptAt: z.string().nullable(),
  lastResponseStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  completedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type Delivery = z.infer<typeof Delivery>;

/** An event with its deliveries. */
export const EventDetail = EventSummary.extend({
  fanOutStatus: FanOutStatus,
  deliveries: z.array(Delivery),
  data: EventData,
});
export type EventDetail = z.infer<typeof EventDetail>;

export const Attempt = Exchanged.extend({ id: Id, attemptNumber: z.int(), startedAt: z.string() });
export type Attempt = z.infer<typeof Attempt>;

export const AttemptDetail = Attempt.extend({ request: SentRequest.nullable() });
export type AttemptDetail = z.infer<typeof AttemptDetail>;

const DELIVERY_FILTERS = {
  id: Id.optional().meta({ description: 'Only the delivery with this id, or deliveries of the event with this id' }),
  eventType: EventTypePattern.optional().meta({ description: 'Only deliveries of events of this type or pattern' }),
  responseStatus: z
    .string()
    .regex(RESPONSE_FILTER, 'must be a status code such as 503, a class such as 5xx, or none')
    .optional()
    .meta({
      description:
        'Only deliveries with this last response: a status code, a class such as `5xx`, or `none` for no response',
    }),
  endpointId: Id.optional(),
  eventId: Id.optional(),
  destinationId: Id.optional(),
  incomingEventId: Id.optional(),
  from: Instant.optional().meta({ description: 'Only deliveries of events at or after this time' }),
  to: Instant.optional().meta({ description: 'Only deliveries of events at or before this time' }),
};
const ListedStatus = DeliveryStatusFilter.optional().meta({
  description: '`QUEUED`: before the first attempt. `RETRYING`: waiting for another attempt. `PENDING`: either',
});

export const ListDeliveriesQuery = PageQuery.extend({ status: ListedStatus, ...DELIVERY_FILTERS });
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;

export const CountDeliveriesQuery = z.strictObject({ status: ListedStatus, ...DELIVERY_FILTERS });
export type CountDeliveriesQuery = z.infer<typeof CountDeliveriesQuery>;

export const DeliveryCount = z.object({ count: z.int(), isExact: z.boolean() });
export type DeliveryCount = z.infer<typeof DeliveryCount>;

/** What a bulk retry chooses deliveries by. Those that are queued are sent anyway. */
export const BulkRetryFilter = z.strictObject({
  status: DeliveryStatusFilter.exclude(['PENDING', 'QUEUED']).optional(),
  ...DELIVERY_FILTERS,
});
export type BulkRetryFilter = z.infer<typeof BulkRetryFilter>;

export const CreateBulkRetryBody = BulkRetryFilter.extend({ deliveryIds: z.array(Id).min(1).max(1000).optional() });
export type CreateBulkRetryBody = z.infer<typeof CreateBulkRetryBody>;

export const BulkRetryStatus = z.enum(['RUNNING', 'COMPLETED', 'CANCELED']);
export type BulkRetryStatus = z.infer<typeof BulkRetryStatus>;

export const BulkRetry = z.object({
  id: Id,
  status: BulkRetryStatus,
  filter: z.record(z.string(), z.string()),
  total: z.int(),
  retried: z.int(),
  skipped: z.object({ pending: z.int(), disabled: z.int(), deleted: z.int(), gone: z.int() }),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
});
export type BulkRetry = z.infer<typeof BulkRetry>;
