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
import { CreatedAt, Instant, Time, UpdatedAt } from '@/lib/platform/instant';
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
  .meta({
    description: 'Seconds to wait before each retry; empty: the deployment’s schedule',
    examples: [[5, 300, 1800]],
  });

export const CreateEndpointBody = z.strictObject({
  url: TargetUrl.meta({
    description: 'Target URL: http or https, without a username or fragment',
    examples: ['https://example.com/webhooks'],
  }),
  description: text(500)
    .nullish()
    .meta({ description: 'What it is for', examples: ['Billing'] }),
  enabled: z.boolean().default(true).meta({ description: 'Whether it is enabled' }),
  retrySeconds: RetrySeconds.default([]),
});
export type CreateEndpointBody = z.infer<typeof CreateEndpointBody>;

export const UpdateEndpointBody = z
  .strictObject({
    url: TargetUrl.optional().meta({ description: 'Target URL: http or https, without a username or fragment' }),
    description: text(500).nullish().meta({ description: 'What it is for' }),
    enabled: z.boolean().optional().meta({ description: 'Whether it is enabled' }),
    pauseReason: text(200).nullish().meta({ description: 'Why it is paused; only if the endpoint is not enabled' }),
    retrySeconds: RetrySeconds.optional(),
  })
  .meta({ examples: [{ description: 'Billing', enabled: true }] });
export type UpdateEndpointBody = z.infer<typeof UpdateEndpointBody>;

export const Endpoint = z.object({
  id: Id,
  url: z.string().meta({
    description: 'Target URL: http or https, without a username or fragment',
    examples: ['https://example.com/webhooks'],
  }),
  description: z
    .string()
    .nullable()
    .meta({ description: 'What it is for', examples: ['Billing'] }),
  enabled: z.boolean().meta({ description: 'Whether it is enabled' }),
  disabledReason: z.string().nullable().meta({
    description: '`gone`: it responded with 410. `failing`: every attempt failed for 120 hours. Null otherwise',
  }),
  disabledAt: Time.nullable().meta({
    description: 'When the service or a person disabled it; null while it is enabled',
    examples: [null],
  }),
  pauseReason: z.string().nullable().meta({ description: 'Why a person paused it; null if no reason was given' }),
  failingSince: Time.nullable().meta({
    description: 'When attempts started to fail without a success; null if the last one succeeded',
    examples: [null],
  }),
  retrySeconds: z.array(z.int()).meta({
    description: 'Seconds to wait before each retry; empty: the deployment’s schedule',
    examples: [[5, 300, 1800]],
  }),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Endpoint = z.infer<typeof Endpoint>;

export const EndpointSecret = z.object({
  secret: z.string().meta({ description: 'The signing secret', examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
  previousSecretExpiresAt: Time.nullable().meta({
    description: 'When the previous secret stops being used; null if there is none',
    examples: [null],
  }),
});
export type EndpointSecret = z.infer<typeof EndpointSecret>;

const HeaderList = z.array(z.tuple([z.string(), z.string()]));

/** Where the time of an attempt went. */
export const AttemptTiming = z.object({
  reusedConnection: z.boolean().meta({
    description: 'Whether an open connection was reused, without DNS, connect and TLS steps',
    examples: [false],
  }),
  dnsMs: z
    .number()
    .nullable()
    .meta({ description: 'Duration of the DNS lookup; null if there was none', examples: [11.8] }),
  connectMs: z
    .number()
    .nullable()
    .meta({ description: 'Duration of connecting; null if there was no connect step', examples: [14.2] }),
  tlsMs: z
    .number()
    .nullable()
    .meta({ description: 'Duration of the TLS handshake; null if there was none', examples: [28.9] }),
  firstByteMs: z
    .number()
    .nullable()
    .meta({
      description: 'Time from the start until the response headers arrived; null if they did not',
      examples: [84.6],
    }),
});
export type AttemptTiming = z.infer<typeof AttemptTiming>;

/** A request as it was sent. */
export const SentRequest = z.object({
  method: z.literal('POST').meta({ description: 'Always POST' }),
  url: z
    .string()
    .nullable()
    .meta({
      description:
        'The URL it was sent to, with the query string of an incoming event; null if the URL has changed since',
      examples: ['https://example.com/webhooks'],
    }),
  headers: HeaderList.meta({
    description:
      'In the order they were sent. `[redacted]` replaces credentials, and signatures for callers who cannot read the signing secret',
    examples: [
      [
        ['host', 'example.com'],
        ['content-type', 'application/json'],
        ['webhook-id', '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84'],
      ],
    ],
  }),
  body: z
    .string()
    .nullable()
    .meta({
      description: 'The body as text; null if it is not UTF-8',
      examples: ['{"type":"order.paid","timestamp":"2026-01-31T09:30:00.000Z","data":{"orderId":"ord_8f2c1"}}'],
    }),
  bodyBase64: z.string().nullable().meta({ description: 'The body in Base64 if it is not UTF-8; null otherwise' }),
});
export type SentRequest = z.infer<typeof SentRequest>;

/** What an attempt and a test both have. */
const Exchanged = z.object({
  durationMs: z.int().meta({ description: 'How long it took, in milliseconds', examples: [87] }),
  responseStatus: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status of the response; null if there was none', examples: [200] }),
  responseBody: z
    .string()
    .nullable()
    .meta({ description: 'The start of the response body; null if there was no response', examples: ['ok'] }),
  responseHeaders: HeaderList.nullable().meta({
    description: 'The response headers, with credentials redacted; null if they were not stored',
    examples: [[['content-type', 'text/plain']]],
  }),
  responseHeadersTruncated: z
    .boolean()
    .meta({ description: 'Whether the response had more headers than the stored 64, or 4 KiB', examples: [false] }),
  remoteAddress: z
    .string()
    .nullable()
    .meta({
      description:
        'IP address and port of the receiver; null if there was no connection, or if the address is not public',
      examples: ['203.0.113.7:443'],
    }),
  timing: AttemptTiming.nullable().meta({
    description: 'Duration of each step; null if nothing was sent, or if an earlier version did not measure it',
  }),
  error: z.string().nullable().meta({ description: 'What went wrong; null if nothing did' }),
  succeeded: z.boolean().meta({ description: 'Whether the response status was 2xx' }),
});
export type Exchanged = z.infer<typeof Exchanged>;

/** What a test sends. */
export const TestEndpointBody = z.strictObject({
  type: EventType.default('endpoint.test').meta({
    description: 'The type of the test event',
    examples: ['order.paid'],
  }),
  data: EventData.optional().meta({
    description: 'Default: an object with a message',
    examples: [{ orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR' }],
  }),
});
export type TestEndpointBody = z.infer<typeof TestEndpointBody>;

export const TestResult = Exchanged.extend({
  startedAt: Time.meta({ description: 'When it started' }),
  request: SentRequest.nullable().meta({
    description: 'The request as it was sent; null if nothing was sent, or if an earlier version did not store it',
  }),
});
export type TestResult = z.infer<typeof TestResult>;

export const CreateSubscriptionBody = z.strictObject({
  endpointId: Id.meta({ description: 'The endpoint' }),
  eventType: EventTypePattern.meta({
    description: 'An exact type, `order.*` for all types that start with `order.`, or `*` for all types',
    examples: ['order.paid'],
  }),
  enabled: z.boolean().default(true).meta({ description: 'Whether it is enabled' }),
});
export type CreateSubscriptionBody = z.infer<typeof CreateSubscriptionBody>;

export const UpdateSubscriptionBody = z.strictObject({
  eventType: EventTypePattern.optional().meta({
    description: 'An exact type, `order.*` for all types that start with `order.`, or `*` for all types',
    examples: ['order.*'],
  }),
  enabled: z.boolean().optional().meta({ description: 'Whether it is enabled' }),
});
export type UpdateSubscriptionBody = z.infer<typeof UpdateSubscriptionBody>;

export const Subscription = z.object({
  id: Id,
  endpointId: Id.meta({ description: 'The endpoint' }),
  eventType: z.string().meta({
    description: 'An exact type, `order.*` for all types that start with `order.`, or `*` for all types',
    examples: ['order.paid'],
  }),
  enabled: z.boolean().meta({ description: 'Whether it is enabled' }),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Subscription = z.infer<typeof Subscription>;

export const DeliveryStatus = z.enum(['PENDING', 'SUCCEEDED', 'FAILED']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const Delivery = z.object({
  id: Id,
  status: DeliveryStatus.meta({ description: 'Whether it is waiting, succeeded or failed', examples: ['SUCCEEDED'] }),
  eventId: Id.nullable().meta({ description: 'The event; null for a forward' }),
  incomingEventId: Id.nullable().meta({
    description: 'The incoming event of a forward; null for an event',
    examples: [null],
  }),
  eventType: z
    .string()
    .nullable()
    .meta({ description: 'The type of the event; null for a forward', examples: ['order.paid'] }),
  endpointId: Id.nullable().meta({ description: 'The endpoint; null for a forward' }),
  destinationId: Id.nullable().meta({
    description: 'The destination of a forward; null for an event',
    examples: [null],
  }),
  targetUrl: z.string().meta({ description: 'URL of the endpoint or destination, even after it is deleted' }),
  sourceId: Id.nullable().meta({ description: 'The source of the incoming event' }),
  attemptCount: z.int().meta({ description: 'Number of attempts so far' }),
  storedAttempts: z.int().meta({
    description:
      'Number of attempts that retention has not removed. Exact for a single delivery; lists, and deliveries within an event, ' +
      'may still count attempts whose partition has been dropped',
  }),
  nextAttemptAt: Time.nullable().meta({
    description: 'When the next attempt is due; null if there is none',
    examples: [null],
  }),
  lastAttemptAt: Time.nullable().meta({ description: 'When the last attempt started; null before the first one' }),
  lastResponseStatus: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status of the last attempt; null if there was no response', examples: [200] }),
  lastError: z.string().nullable().meta({ description: 'Why the last attempt failed; null if it succeeded' }),
  completedAt: Time.nullable().meta({ description: 'When it ended; null before that' }),
  createdAt: CreatedAt,
});
export type Delivery = z.infer<typeof Delivery>;

/** An event with its deliveries. */
export const EventDetail = EventSummary.extend({
  fanOutStatus: FanOutStatus.meta({
    description:
      'Progress of creating the deliveries. `PENDING`: not done yet. `COMPLETED`: done; no more are created for this event. `DEAD`: creating them failed after several tries',
  }),
  deliveries: z.array(Delivery).meta({ description: 'One delivery for each endpoint with a matching subscription' }),
  data: EventData.meta({
    description: 'The payload, as it was sent',
    examples: [{ orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR' }],
  }),
});
export type EventDetail = z.infer<typeof EventDetail>;

export const Attempt = Exchanged.extend({
  id: Id,
  attemptNumber: z.int().meta({ description: 'Number of the attempt, starting at 1' }),
  startedAt: Time.meta({ description: 'When it started' }),
});
export type Attempt = z.infer<typeof Attempt>;

export const AttemptDetail = Attempt.extend({
  request: SentRequest.nullable().meta({
    description: 'The request as it was sent; null if nothing was sent, or if an earlier version did not store it',
  }),
});
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
  endpointId: Id.optional().meta({ description: 'Only items of this endpoint' }),
  eventId: Id.optional().meta({ description: 'Only deliveries of this event' }),
  destinationId: Id.optional().meta({ description: 'Only deliveries to this destination' }),
  incomingEventId: Id.optional().meta({ description: 'Only forwards of this incoming event' }),
  from: Instant.optional().meta({ description: 'Only deliveries of events at or after this time' }),
  to: Instant.optional().meta({ description: 'Only deliveries of events at or before this time' }),
};
const ListedStatus = DeliveryStatusFilter.optional().meta({
  description: '`QUEUED`: before the first attempt. `RETRYING`: waiting for another attempt. `PENDING`: either',
});

export const ListDeliveriesQuery = PageQuery.extend({
  status: ListedStatus,
  ...DELIVERY_FILTERS,
});
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;

export const CountDeliveriesQuery = z.strictObject({
  status: ListedStatus,
  ...DELIVERY_FILTERS,
});
export type CountDeliveriesQuery = z.infer<typeof CountDeliveriesQuery>;

export const DeliveryCount = z.object({
  count: z.int().meta({ description: 'Number of matching deliveries' }),
  isExact: z.boolean().meta({ description: 'Whether the count is exact; if not, there are more' }),
});
export type DeliveryCount = z.infer<typeof DeliveryCount>;

/** What a bulk retry chooses deliveries by. Those that are queued are sent anyway. */
export const BulkRetryFilter = z.strictObject({
  status: DeliveryStatusFilter.exclude(['PENDING', 'QUEUED'])
    .optional()
    .meta({ description: 'Only deliveries with this status. Default: `FAILED`; with `deliveryIds`, either status' }),
  ...DELIVERY_FILTERS,
});
export type BulkRetryFilter = z.infer<typeof BulkRetryFilter>;

export const CreateBulkRetryBody = BulkRetryFilter.extend({
  deliveryIds: z.array(Id).min(1).max(1000).optional().meta({ description: 'Only these deliveries' }),
}).meta({
  examples: [
    { status: 'FAILED', endpointId: '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84', from: '2026-01-31T09:30:00.000Z' },
  ],
});
export type CreateBulkRetryBody = z.infer<typeof CreateBulkRetryBody>;

export const BulkRetryStatus = z.enum(['RUNNING', 'COMPLETED', 'CANCELED']);
export type BulkRetryStatus = z.infer<typeof BulkRetryStatus>;

export const BulkRetry = z.object({
  id: Id,
  status: BulkRetryStatus.meta({ description: 'The current status' }),
  filter: z.record(z.string(), z.string()).meta({ description: 'Which deliveries it retries' }),
  total: z.int().meta({ description: 'Number of matching deliveries when it was created' }),
  retried: z.int().meta({ description: 'Number of deliveries that are due again' }),
  skipped: z
    .object({
      pending: z.int().meta({ description: 'An attempt is in progress, or due within 30 seconds', examples: [0] }),
      disabled: z.int().meta({ description: 'The endpoint or destination is paused or disabled' }),
      deleted: z.int().meta({ description: 'The endpoint or destination is deleted' }),
      gone: z.int().meta({ description: 'Removed by retention, or no longer matching; counted at the end' }),
    })
    .meta({ description: 'Number of deliveries that are not retried, by reason' }),
  createdAt: CreatedAt,
  completedAt: Time.nullable().meta({ description: 'When it ended; null before that', examples: [null] }),
});
export type BulkRetry = z.infer<typeof BulkRetry>;
