import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
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

export const IncomingCounts = z.object({ verified: count, unsigned: count, rejected: count });
export const AttemptCounts = z.object({ succeeded: count, failed: count });
export const DeliveryCounts = z.object({ succeeded: count, failed: count });
export const FailureCounts = z.object({
  redirects: count,
  clientErrors: count,
  serverErrors: count,
  timeouts: count,
  noResponses: count,
});
export const Quantiles = z.object({ p50Ms: z.int(), p95Ms: z.int() });

/** What happened in a period. */
export const StatsCounts = z.object({
  events: count,
  incoming: IncomingCounts,
  attempts: AttemptCounts,
  failures: FailureCounts,
  deliveries: DeliveryCounts,
  attemptDuration: Quantiles.nullable(),
  deliveryLatency: Quantiles.nullable(),
});
export type StatsCounts = z.infer<typeof StatsCounts>;

export const StatsBucket = StatsCounts.extend({ startsAt: z.string() });
export type StatsBucket = z.infer<typeof StatsBucket>;

export const FailingTarget = z.object({
  endpointId: Id.nullable(),
  destinationId: Id.nullable(),
  sourceId: Id.nullable().meta({ description: 'The source of the destination' }),
  targetUrl: z.string(),
  enabled: z.boolean(),
  failingSince: z.string().nullable(),
  attempts: AttemptCounts,
  failedDeliveries: count,
});
export type FailingTarget = z.infer<typeof FailingTarget>;

export const DeliveryBacklog = z.object({
  waiting: count,
  waitingIsAtLeast: z.boolean(),
  oldestDueAt: z.string().nullable(),
});
export type DeliveryBacklog = z.infer<typeof DeliveryBacklog>;

export const ProjectStats = z.object({
  from: z.string(),
  to: z.string(),
  bucketSeconds: z.int(),
  totals: StatsCounts,
  previousTotals: StatsCounts.nullable(),
  buckets: z.array(StatsBucket),
  failingTargets: z.array(FailingTarget),
  backlog: DeliveryBacklog,
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

export const HealthHour = z.object({ startsAt: z.string(), attempts: AttemptCounts });
export const RecentDelivery = z.object({
  id: Id,
  status: z.enum(['PENDING', 'SUCCEEDED', 'FAILED']),
  createdAt: z.string(),
});

export const EndpointHealth = z.object({
  endpointId: Id,
  attempts: AttemptCounts,
  attemptDuration: Quantiles.nullable(),
  hours: z.array(HealthHour),
  lastDeliveries: z.array(RecentDelivery),
});
export type EndpointHealth = z.infer<typeof EndpointHealth>;

export const EndpointHealthList = z.object({ data: z.array(EndpointHealth) });
export type EndpointHealthList = z.infer<typeof EndpointHealthList>;
