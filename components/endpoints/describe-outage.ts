import { describeDeliveries } from '@/components/bulk-retries/describe-bulk-retry';
import { formatCount } from '@/components/ui/format-figures';
import { inPreferredZone } from '@/components/ui/time-zone';
import type { BulkRetry } from '@/lib/delivery/schema';
import type { Outage, WaitingDeliveries } from '@/lib/stats/schema';

/** What a bulk retry or the list of deliveries selects an endpoint or a destination by. */
export type TargetFilter = { endpointId: string } | { destinationId: string };

/** Returns whether a filter selects the deliveries of this target. */
export function isOfTarget(filter: BulkRetry['filter'], target: TargetFilter): boolean {
  return 'endpointId' in target
    ? filter.endpointId === target.endpointId
    : filter.destinationId === target.destinationId;
}

/**
 * Says when a target was down, in the reader's time zone: "Down 13:02 to 15:01", "Down since 26 Nov, 23:10". The end is rounded up to a
 * minute, so it may be after now, which is shown instead.
 */
export function describeOutage({ from, to }: Pick<Outage, 'from' | 'to'>, now: Date): string {
  const start = new Date(from);
  if (to === null) return `Down since ${describeMoment(start, now)}`;
  const end = new Date(Math.min(Date.parse(to), now.getTime()));
  const isOneMinute = end.getTime() - start.getTime() < 60_000;
  return isOneMinute
    ? `Down at ${describeMoment(start, now)}`
    : `Down ${describeMoment(start, now)} to ${describeMoment(end, start)}`;
}

/** Says what waits for another attempt, whether or not it is of an outage: "10 deliveries wait, the next attempt at 11:50". */
export function describeWaiting(
  { count, countIsAtLeast, nextAttemptAt }: Omit<WaitingDeliveries, 'outsideOutages'>,
  now: Date,
): string {
  const many = countIsAtLeast ? `${formatCount(count)} or more deliveries` : describeDeliveries(count);
  return `${many} ${count === 1 && !countIsAtLeast ? 'waits' : 'wait'}${describeNext(nextAttemptAt, now)}`;
}

function describeNext(nextAttemptAt: string | null, now: Date): string {
  if (nextAttemptAt === null) return '';
  const at = new Date(nextAttemptAt);
  return at <= now ? ', the next attempt is due' : `, the next attempt at ${describeMoment(at, now)}`;
}

/** Returns the time of day, with the day unless it is the same as the other one: "14:05", "26 Nov, 23:10". */
export const describeMoment = (at: Date, day: Date) =>
  dayOf(at) === dayOf(day) ? timeOf(at) : `${dayOf(at)}, ${timeOf(at)}`;

const timeOf = (at: Date) =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...inPreferredZone() });
const dayOf = (at: Date) => at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...inPreferredZone() });

/** Returns the newest bulk retry of the deliveries of an outage, also one that was started while it lasted; undefined without one. */
export function sendingOf(
  target: TargetFilter,
  { from, to }: Pick<Outage, 'from' | 'to'>,
  bulkRetries: readonly BulkRetry[],
): BulkRetry | undefined {
  return bulkRetries.find(
    ({ filter }) => isOfTarget(filter, target) && filter.from === from && (filter.to === undefined || filter.to === to),
  );
}

/** Returns the newest bulk retry of everything that waits at a target; undefined without one. */
export function sendingOfWaiting(target: TargetFilter, bulkRetries: readonly BulkRetry[]): BulkRetry | undefined {
  return bulkRetries.find(
    ({ filter }) => isOfTarget(filter, target) && filter.status === 'RETRYING' && filter.from === undefined,
  );
}

/** Says what has become of the deliveries of an outage. */
export function describeProgress(
  { undelivered, undeliveredIsAtLeast, nextAttemptAt }: Omit<Outage, 'from' | 'to'>,
  sending: Pick<BulkRetry, 'status' | 'total' | 'retried'> | undefined,
  now: Date,
): string {
  const left = `${formatCount(undelivered)}${undeliveredIsAtLeast ? ' or more' : ''}`;
  if (sending?.status === 'RUNNING') {
    return `sending ${formatCount(sending.retried)} of ${formatCount(sending.total)}, ${left} not yet delivered`;
  }
  if (undelivered > 0) return `${left} waiting or failed${describeNext(nextAttemptAt, now)}`;
  return `${sending?.status === 'COMPLETED' ? 'done: ' : ''}every delivery of that time has arrived`;
}
