import type { Tone } from '@/components/ui/badge';
import { deliveryStateOf, isSentAgain } from '@/lib/events/delivery-state-policy';
import type { PortalDelivery } from '@/lib/portal/schema';

type Described = Pick<PortalDelivery, 'status' | 'attemptCount' | 'lastError'>;

/** The state of a delivery in words. */
export function describeDelivery(delivery: Described): { tone: Tone; word: string } {
  if (isSentAgain(delivery)) return { tone: 'accent', word: 'Sending again' };
  switch (deliveryStateOf(delivery)) {
    case 'SUCCEEDED':
      return { tone: 'success', word: 'Delivered' };
    case 'FAILED':
      return { tone: 'danger', word: 'Failed' };
    case 'RETRYING':
      return { tone: 'warning', word: 'Trying again' };
    case 'QUEUED':
      return { tone: 'accent', word: 'Waiting' };
  }
}

/** What the list of deliveries can be narrowed to, by the filter of the API. */
export const DELIVERY_FILTERS = [
  { status: undefined, label: 'All' },
  { status: 'FAILED', label: 'Failed' },
  { status: 'PENDING', label: 'Waiting' },
  { status: 'SUCCEEDED', label: 'Delivered' },
] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number]['status'];
