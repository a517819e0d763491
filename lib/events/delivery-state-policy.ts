/** The states of a delivery, in the order in which it can pass through them. */
export const DELIVERY_STATES = ['QUEUED', 'RETRYING', 'SUCCEEDED', 'FAILED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What lists filter by: a state, PENDING for both QUEUED and RETRYING, or UNDELIVERED for both RETRYING and FAILED. */
export const DELIVERY_STATUS_FILTERS = ['PENDING', 'UNDELIVERED', ...DELIVERY_STATES] as const;
export type DeliveryStatusFilter = (typeof DELIVERY_STATUS_FILTERS)[number];

/** The words for the states, wherever people read them. */
export const DELIVERY_STATE_LABELS: Record<DeliveryState, string> = {
  QUEUED: 'Queued',
  RETRYING: 'Retrying',
  SUCCEEDED: 'Succeeded',
  FAILED: 'Failed',
};

/** Returns the state of a delivery: one that is pending is queued until its first attempt, and retrying after it. */
export function deliveryStateOf(delivery: {
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  attemptCount: number;
}): DeliveryState {
  if (delivery.status !== 'PENDING') return delivery.status;
  return delivery.attemptCount === 0 ? 'QUEUED' : 'RETRYING';
}

/** Whether a delivery that arrived is being sent once more: it is pending, but nothing has failed since. */
export function isSentAgain(delivery: {
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  attemptCount: number;
  lastError: string | null;
}): boolean {
  return deliveryStateOf(delivery) === 'RETRYING' && delivery.lastError === null;
}

/** The stored statuses that a filter selects, and whether a pending delivery must have had an attempt; null for either. */
interface StoredStatuses {
  statuses: readonly ('PENDING' | 'SUCCEEDED' | 'FAILED')[] | null;
  hasAttempts: boolean | null;
}

/** Returns what a filter selects by. */
export function storedStatusesOf(filter: DeliveryStatusFilter | undefined): StoredStatuses {
  switch (filter) {
    case undefined:
      return { statuses: null, hasAttempts: null };
    case 'QUEUED':
    case 'RETRYING':
      return { statuses: ['PENDING'], hasAttempts: filter === 'RETRYING' };
    case 'UNDELIVERED':
      return { statuses: ['PENDING', 'FAILED'], hasAttempts: true };
    default:
      return { statuses: [filter], hasAttempts: null };
  }
}
