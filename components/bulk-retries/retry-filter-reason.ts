import type { DeliveryCount } from '@/lib/delivery/schema';

/** Whether deliveries in this state can be retried: the others are due anyway. */
export function isRetriable(status: string | undefined): status is 'FAILED' | 'SUCCEEDED' {
  return status === 'FAILED' || status === 'SUCCEEDED';
}

/** Returns why the deliveries that match cannot be retried at once; undefined when they can, and while they are counted. */
export function retryFilterReason(status: string | undefined, count: DeliveryCount | undefined): string | undefined {
  if (status === undefined) return 'Choose the state Failed or Succeeded first.';
  if (!isRetriable(status)) return 'Deliveries in this state are sent anyway. Choose Failed or Succeeded.';
  if (count?.count === 0) return 'No delivery matches.';
  return count?.isExact === false ? 'More than 100,000 deliveries match. Choose a shorter time.' : undefined;
}
