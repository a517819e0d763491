import type { DeliveryCount } from '@/lib/delivery/schema';

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
