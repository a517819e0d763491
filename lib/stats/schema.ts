import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Instant, Time } from '@/lib/platform/instant';
import { MAX_SPAN_MS, RANGES, type RangeName } from './range-policy';

const MAX_ENDPOINTS = 100;

export const StatsQuery = z
  .strictObject({
    range: field(
      z.enum(Object.keys(RANGES) as [RangeName, ...RangeName[]]).optional(),
      'The length of the range that ends now; default `24h`',
    ),
    from: field(Instant.optional(), 'Start of a custom range; use it with `to`, instead of `range`'),
    to: field(Instant.optional(), 'End of a custom range, at most 35 days after `from`'),
  })
  .superRefine(({ range, from, to }, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (from === undefined && to === undefined) return;
    if (range !== undefined) fault('range', 'must not be combined with from and to');
    if (from === undefined) fault('from', 'is required with to');
    else if (to === undefined) fault('to', 'is required with from');
    // A time that is malformed has its own issue, and is still text here.
    else if (!(from instanceof Date && to instanceof Date)) return;
    else if (from >= to) fault('to', 'must be after from');
    else if (to.getTime() - from.getTime() > MAX_SPAN_MS) fault('to', 'must be at most 35 days after from');
  });
export type StatsQuery = z.infer<typeof StatsQuery>;

const count = z.int();

export const IncomingCounts = z.object({
  verified: field(count, 'With a valid signature'),
  unsigned: field(count, 'From sources without signatures'),
  rejected: field(count, 'With an invalid signature; stored, but not forwarded'),
});
export const AttemptCounts = z.object({
  succeeded: field(count, 'Attempts with a complete 2xx response'),
  failed: field(count, 'Attempts that failed, including those that are retried', 0),
});
export const DeliveryCounts = z.object({
  succeeded: field(count, 'Finished with a 2xx response'),
  failed: field(count, 'Failed, with no more attempts', 0),
});
export const FailureCounts = z.object({
  redirects: field(count, 'Responses with status 300 to 399'),
  clientErrors: field(count, 'Responses with status 400 to 499'),
  serverErrors: field(count, 'Responses with status 500 or higher'),
  timeouts: field(count, 'No connection or no response in time'),
  noResponses: field(count, 'No usable response for another reason: DNS, connection or TLS'),
});
export const Quantiles = z.object({
  p50Ms: field(z.int(), 'Median in milliseconds, accurate to within 19%'),
  p95Ms: field(z.int(), '95th percentile in milliseconds, accurate to within 19%'),
});

/** What happened in a period. */
export const StatsCounts = z.object({
  events: field(count, 'Accepted events'),
  incoming: field(IncomingCounts, 'Accepted incoming events'),
  attempts: field(AttemptCounts, 'Delivery attempts, including retries'),
  failures: field(FailureCounts, 'Failed attempts by reason'),
  deliveries: field(DeliveryCounts, 'Finished deliveries: successes, and failures after the last attempt'),
  attemptDuration: field(Quantiles.nullable(), 'Duration of attempts; null if there were none'),
  deliveryLatency: field(
    Quantiles.nullable(),
    'Time from the acceptance of an event to the end of the successful attempt; null if there was none. Excludes deliveries that were retried manually, and forwards',
  ),
});
export type StatsCounts = z.infer<typeof StatsCounts>;

export const StatsBucket = StatsCounts.extend({ startsAt: field(Time, 'Start of the period') });
export type StatsBucket = z.infer<typeof StatsBucket>;

export const FailingTarget = z.object({
  endpointId: field(Id.nullable(), 'The endpoint'),
  destinationId: field(Id.nullable(), 'The destination'),
  sourceId: field(Id.nullable(), 'The source of the destination'),
  targetUrl: field(z.string(), 'The URL of the endpoint or destination'),
  enabled: field(z.boolean(), 'Whether it is enabled'),
  failingSince: field(
    Time.nullable(),
    'When attempts started to fail without a success; null if the last one succeeded',
    null,
  ),
  attempts: field(AttemptCounts, 'Delivery attempts, including retries'),
  failedDeliveries: field(count, 'Deliveries that failed after their last attempt'),
});
export type FailingTarget = z.infer<typeof FailingTarget>;

export const DeliveryBacklog = z.object({
  waiting: field(count, 'Unfinished deliveries, including those waiting for a retry'),
  waitingIsAtLeast: field(z.boolean(), 'Whether counting stopped at `waiting`, so that there may be more'),
  oldestDueAt: field(
    Time.nullable(),
    'When the oldest delivery that no worker has started was due; null if nothing is waiting',
  ),
});
export type DeliveryBacklog = z.infer<typeof DeliveryBacklog>;

export const AttentionReason = z.enum([
  'ENDPOINT_DISABLED',
  'ENDPOINT_FAILING',
  'DESTINATION_DISABLED',
  'DESTINATION_FAILING',
  'SOURCE_WITHOUT_SECRET',
  'ENDPOINT_SILENT',
]);
export type AttentionReason = z.infer<typeof AttentionReason>;

/** Endpoints, destinations or sources that need attention for one reason. */
export const Attention = z.object({
  reason: field(
    AttentionReason,
    '`…_DISABLED`: by the service. `…_FAILING`: the last attempts failed. `ENDPOINT_SILENT`: no delivery for 24 hours, after ' +
      'some in the 7 days before. `SOURCE_WITHOUT_SECRET`: refuses all requests, since it cannot verify them',
    'ENDPOINT_FAILING',
  ),
  count: field(count, 'How many there are, at least 1', 2),
  since: field(
    Time.nullable(),
    'Since when the first of them is disabled or failing, or its last delivery; null for a source',
  ),
  endpointId: field(Id.nullable(), 'The first endpoint'),
  destinationId: field(Id.nullable(), 'The first destination', null),
  sourceId: field(Id.nullable(), 'The first source, or that of the destination', null),
  name: field(
    z.string(),
    'The URL of the first endpoint or destination, or the name of the source',
    'https://example.com/webhooks',
  ),
  description: field(
    z.string().nullable(),
    'The description of the first endpoint or destination; null without one, and for a source',
    'Billing',
  ),
});
export type Attention = z.infer<typeof Attention>;

export const ProjectStats = z.object({
  from: field(Time, 'Start of the first bucket'),
  to: field(Time, 'End of the last bucket, which may be in the future'),
  bucketSeconds: field(z.int(), 'Length of a bucket in seconds'),
  totals: field(StatsCounts, 'Totals of the entire range'),
  previousTotals: field(
    StatsCounts.nullable(),
    'Totals of the preceding range of the same length; null if its statistics are no longer stored',
    null,
  ),
  buckets: field(z.array(StatsBucket), 'The buckets of the range, without gaps'),
  failingTargets: field(
    z.array(FailingTarget),
    'The endpoints and destinations with the most failed attempts, at most five, counted over every hour or day that the range overlaps',
  ),
  backlog: field(DeliveryBacklog, 'Deliveries that are waiting now'),
  attention: field(z.array(Attention), 'What needs attention now, whatever the range; one element for each reason'),
});
export type ProjectStats = z.infer<typeof ProjectStats>;

export const EndpointHealthQuery = z.strictObject({
  endpointIds: z
    .string()
    .max(MAX_ENDPOINTS * 40)
    .transform((text) => text.split(','))
    .pipe(z.array(Id).min(1).max(MAX_ENDPOINTS))
    .meta({ description: 'Up to 100 endpoint ids, separated by commas', openapi: { type: 'string' } }),
});
export type EndpointHealthQuery = z.infer<typeof EndpointHealthQuery>;

export const HealthHour = z.object({
  startsAt: field(Time, 'Start of the period'),
  attempts: field(AttemptCounts, 'Delivery attempts, including retries'),
});
export const RecentDelivery = z.object({
  id: Id,
  status: field(z.enum(['PENDING', 'SUCCEEDED', 'FAILED']), 'The current status'),
  createdAt: CreatedAt,
});

export const EndpointHealth = z.object({
  endpointId: field(Id, 'The endpoint'),
  attempts: field(AttemptCounts, 'Delivery attempts, including retries'),
  attemptDuration: field(Quantiles.nullable(), 'Duration of attempts; null if there were none'),
  hours: field(z.array(HealthHour), 'The last 24 hours, the current one last'),
  lastDeliveries: field(z.array(RecentDelivery), 'The last ten deliveries, newest first'),
});
export type EndpointHealth = z.infer<typeof EndpointHealth>;

export const EndpointHealthList = z.object({
  data: field(z.array(EndpointHealth), 'The items on this page'),
});
export type EndpointHealthList = z.infer<typeof EndpointHealthList>;

export const Outage = z.object({
  from: field(Time, 'When the deliveries began to fail, in whole minutes', '2026-01-31T13:02:00.000Z'),
  to: field(
    Time.nullable(),
    'When one succeeded again, in whole minutes; null while it lasts',
    '2026-01-31T15:01:00.000Z',
  ),
  undelivered: field(
    z.int(),
    'Number of deliveries of events of this time that failed or wait for another attempt: the status `UNDELIVERED`',
    214,
  ),
  undeliveredIsAtLeast: field(
    z.boolean(),
    'Whether counting stopped at `undelivered`, so that there may be more',
    false,
  ),
  nextAttemptAt: field(Time.nullable(), 'When the next of them is attempted again; null when none waits for that'),
});
export type Outage = z.infer<typeof Outage>;

export const WaitingDeliveries = z.object({
  count: field(z.int(), 'Number of deliveries that wait for another attempt: the status `RETRYING`', 10),
  countIsAtLeast: field(z.boolean(), 'Whether counting stopped, so that there may be more', false),
  outsideOutages: field(z.int(), 'How many of them are of events of no time in `data`', 0),
  nextAttemptAt: field(Time.nullable(), 'When the next of them is attempted; null when none waits'),
});
export type WaitingDeliveries = z.infer<typeof WaitingDeliveries>;

export const OutageList = z.object({
  data: field(z.array(Outage), 'At most five, newest first'),
  waiting: field(WaitingDeliveries, 'What waits for another attempt at the target, of an outage or not'),
});
export type OutageList = z.infer<typeof OutageList>;
