import { formatCount } from '@/components/ui/format-figures';
import type { BulkRetry, DeliveryCount } from '@/lib/delivery/schema';

/** Names a number of deliveries: "1 delivery", "4,312 deliveries". */
export function describeDeliveries(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

/** Names what matches: "4,312 matching"; "matching" until the count is known. */
export function describeMatching(count: DeliveryCount | undefined): string {
  if (count === undefined) return 'matching';
  return `${formatCount(count.count)}${count.isExact ? '' : '+'} matching`;
}

/** Says how many deliveries were skipped, and why; undefined when none was. */
export function describeSkipped({ skipped }: Pick<BulkRetry, 'skipped'>): string | undefined {
  const reasons = [
    [skipped.pending, 'under way or due within 30 seconds'],
    [skipped.disabled, 'to a paused or disabled endpoint or destination'],
    [skipped.deleted, 'to a deleted endpoint or destination'],
    [skipped.gone, 'no longer there or no longer matching'],
  ] as const;
  const given = reasons.filter(([count]) => count > 0);
  if (given.length === 0) return undefined;
  return `Skipped: ${given.map(([count, reason]) => `${formatCount(count)} ${reason}`).join(', ')}.`;
}

/** Returns the progress from 0 to 100. A bulk retry of nothing is complete. */
export function percentOf({ status, total, retried, skipped }: BulkRetry): number {
  if (status === 'COMPLETED' || total === 0) return 100;
  const done = retried + skipped.pending + skipped.disabled + skipped.deleted;
  return Math.min(100, Math.floor((done / total) * 100));
}

/** Returns how many deliveries it has retried per second; undefined in its first second, and before the first delivery. */
export function rateOf({ retried, createdAt, completedAt }: BulkRetry, now: Date): number | undefined {
  const seconds =
    ((completedAt === null ? now : new Date(completedAt)).getTime() - new Date(createdAt).getTime()) / 1000;
  return retried === 0 || seconds < 1 ? undefined : Math.max(1, Math.round(retried / seconds));
}

/** Whether deliveries in this state can be retried: queued ones are sent anyway. */
export function isRetriable(status: string | undefined): status is 'FAILED' | 'RETRYING' | 'SUCCEEDED' {
  return status === 'FAILED' || status === 'RETRYING' || status === 'SUCCEEDED';
}

/** Returns why the deliveries that match cannot be retried at once; undefined when they can, and while they are counted. */
export function retryFilterReason(status: string | undefined, count: DeliveryCount | undefined): string | undefined {
  if (status === undefined) return 'Choose the state Failed, Retrying or Succeeded first.';
  if (!isRetriable(status)) return 'Queued deliveries are sent anyway. Choose Failed, Retrying or Succeeded.';
  if (count?.count === 0 && count.isExact) return 'No delivery matches.';
  return count?.isExact === false ? 'Too many deliveries to look through. Choose a shorter time.' : undefined;
}
