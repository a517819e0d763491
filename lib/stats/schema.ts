import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Instant, Time } from '@/lib/platform/instant';
import { MAX_SPAN_MS, RANGES, type RangeName } from './range-policy';

const MAX_ENDPOINTS = 100;

export const StatsQuery = z
  .strictObject({
    range: z
      .enum(Object.keys(RANGES) as [RangeName, ...RangeName[]])
      .optional()
      .meta({ description: 'The length of the range that ends now; default `24h`' }),
    from: Instant.optional().meta({ description: 'Start of a custom range; use it with `to`, instead of `range`' }),
    to: Instant.optional().meta({ description: 'End of a custom range, at most 35 days after `from`' }),
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
  verified: count.meta({ description: 'With a valid signature' }),
  unsigned: count.meta({ description: 'From sources without signatures' }),
  rejected: count.meta({ description: 'With an invalid signature; stored, but not forwarded' }),
});
export const AttemptCounts = z.object({
  succeeded: count.meta({ description: 'Finished with a 2xx response' }),
  failed: count.meta({ description: 'Failed, with no more attempts', examples: [0] }),
});
export const DeliveryCounts = z.object({
  succeeded: count.meta({ description: 'Finished with a 2xx response' }),
  failed: count.meta({ description: 'Failed, with no more attempts', examples: [0] }),
});
export const FailureCounts = z.object({
  redirects: count.meta({ description: 'Responses with status 300 to 399' }),
  clientErrors: count.meta({ description: 'Responses with status 400 to 499' }),
  serverErrors: count.meta({ description: 'Responses with status 500 or higher' }),
  timeouts: count.meta({ description: 'No connection or no response in time' }),
  noResponses: count.meta({ description: 'No usable response for another reason: DNS, connection or TLS' }),
});
export const Quantiles = z.object({
  p50Ms: z.int().meta({ description: 'Median in milliseconds, accurate to within 19%' }),
  p95Ms: z.int().meta({ description: '95th percentile in milliseconds, accurate to within 19%' }),
});

/** What happened in a period. */
export const StatsCounts = z.object({
  events: count.meta({ description: 'Accepted events' }),
  incoming: IncomingCounts.meta({ description: 'Accepted incoming events' }),
  attempts: AttemptCounts.meta({ description: 'Delivery attempts, including retries' }),
  failures: FailureCounts.meta({ description: 'Failed attempts by reason' }),
  deliveries: DeliveryCounts.meta({
    description: 'Finished deliveries: successes, and failures after the last attempt',
  }),
  attemptDuration: Quantiles.nullable().meta({ description: 'Duration of attempts; null if there were none' }),
  deliveryLatency: Quantiles.nullable().meta({
    description:
      'Time from the acceptance of an event to the end of the successful attempt; null if there was none. Excludes deliveries that were retried manually, and forwards',
  }),
});
export type StatsCounts = z.infer<typeof StatsCounts>;

export const StatsBucket = StatsCounts.extend({ startsAt: Time.meta({ description: 'Start of the period' }) });
export type StatsBucket = z.infer<typeof StatsBucket>;

export const FailingTarget = z.object({
  endpointId: Id.nullable().meta({ description: 'The endpoint' }),
  destinationId: Id.nullable().meta({ description: 'The destination' }),
  sourceId: Id.nullable().meta({ description: 'The source of the destination' }),
  targetUrl: z.string().meta({ description: 'The URL of the endpoint or destination' }),
  enabled: z.boolean().meta({ description: 'Whether it is enabled' }),
  failingSince: Time.nullable().meta({
    description: 'When attempts started to fail without a success; null if the last one succeeded',
    examples: [null],
  }),
  attempts: AttemptCounts.meta({ description: 'Delivery attempts, including retries' }),
  failedDeliveries: count.meta({ description: 'Deliveries that failed after their last attempt' }),
});
export type FailingTarget = z.infer<typeof FailingTarget>;

export const DeliveryBacklog = z.object({
  waiting: count.meta({ description: 'Unfinished deliveries, including those waiting for a retry' }),
  waitingIsAtLeast: z
    .boolean()
    .meta({ description: 'Whether counting stopped at `waiting`, so that there may be more' }),
  oldestDueAt: Time.nullable().meta({
    description: 'When the oldest delivery that no worker has started was due; null if nothing is waiting',
  }),
});
export type DeliveryBacklog = z.infer<typeof DeliveryBacklog>;

export const ProjectStats = z.object({
  from: Time.meta({ description: 'Start of the first bucket' }),
  to: Time.meta({ description: 'End of the last bucket, which may be in the future' }),
  bucketSeconds: z.int().meta({ description: 'Length of a bucket in seconds' }),
  totals: StatsCounts.meta({ description: 'Totals of the entire range' }),
  previousTotals: StatsCounts.nullable().meta({
    description: 'Totals of the preceding range of the same length; null if its statistics are no longer stored',
    examples: [null],
  }),
  buckets: z.array(StatsBucket).meta({ description: 'The buckets of the range, without gaps' }),
  failingTargets: z.array(FailingTarget).meta({
    description:
      'The endpoints and destinations with the most failed attempts, at most five, counted over every hour or day that the range overlaps',
  }),
  backlog: DeliveryBacklog.meta({ description: 'Deliveries that are waiting now' }),
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
  startsAt: Time.meta({ description: 'Start of the period' }),
  attempts: AttemptCounts.meta({ description: 'Delivery attempts, including retries' }),
});
export const RecentDelivery = z.object({
  id: Id,
  status: z.enum(['PENDING', 'SUCCEEDED', 'FAILED']).meta({ description: 'The current status' }),
  createdAt: CreatedAt,
});

export const EndpointHealth = z.object({
  endpointId: Id.meta({ description: 'The endpoint' }),
  attempts: AttemptCounts.meta({ description: 'Delivery attempts, including retries' }),
  attemptDuration: Quantiles.nullable().meta({ description: 'Duration of attempts; null if there were none' }),
  hours: z.array(HealthHour).meta({ description: 'The last 24 hours, the current one last' }),
  lastDeliveries: z.array(RecentDelivery).meta({ description: 'The last ten deliveries, newest first' }),
});
export type EndpointHealth = z.infer<typeof EndpointHealth>;

export const EndpointHealthList = z.object({
  data: z.array(EndpointHealth).meta({ description: 'The items on this page' }),
});
export type EndpointHealthList = z.infer<typeof EndpointHealthList>;
