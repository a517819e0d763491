import { formatCount } from '@/components/ui/format-figures';
import { inPreferredZone } from '@/components/ui/time-zone';
import type { BulkRetry } from '@/lib/delivery/schema';
import type { Outage } from '@/lib/stats/schema';

/** Says when an endpoint was down, in the reader's time zone: "Down 13:02 to 15:01", "Down since 26 Nov, 23:10". */
export function describeOutage({ from, to }: Pick<Outage, 'from' | 'to'>, now: Date): string {
  const start = new Date(from);
  const shown = (at: Date, day: Date) => (dayOf(at) === dayOf(day) ? timeOf(at) : `${dayOf(at)}, ${timeOf(at)}`);
  if (to === null) return `Down since ${shown(start, now)}`;
  return `Down ${shown(start, now)} to ${shown(new Date(to), start)}`;
}

const timeOf = (at: Date) =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...inPreferredZone() });
const dayOf = (at: Date) => at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...inPreferredZone() });

/** Returns the newest bulk retry of the deliveries of an outage, also one that was started while it lasted; undefined without one. */
export function sendingOf(
  endpointId: string,
  { from, to }: Pick<Outage, 'from' | 'to'>,
  bulkRetries: readonly BulkRetry[],
): BulkRetry | undefined {
  return bulkRetries.find(
    ({ filter }) =>
      filter.endpointId === endpointId && filter.from === from && (filter.to === undefined || filter.to === to),
  );
}

/** Says what has become of the deliveries of an outage. */
export function describeProgress(
  { undelivered, undeliveredIsAtLeast }: Pick<Outage, 'undelivered' | 'undeliveredIsAtLeast'>,
  sending: Pick<BulkRetry, 'status' | 'total' | 'retried'> | undefined,
): string {
  const left = `${formatCount(undelivered)}${undeliveredIsAtLeast ? ' or more' : ''}`;
  if (sending?.status === 'RUNNING') {
    return `sending ${formatCount(sending.retried)} of ${formatCount(sending.total)}, ${left} not yet delivered`;
  }
  if (undelivered > 0) return `${left} waiting or failed`;
  return sending?.status === 'COMPLETED' ? 'done: every delivery has arrived' : 'every delivery has arrived';
}
