/** The states of a delivery, in the order in which it can pass through them. */
export const DELIVERY_STATES = ['QUEUED', 'RETRYING', 'SUCCEEDED', 'FAILED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What lists filter by: a state, or PENDING for both QUEUED and RETRYING. */
export const DELIVERY_STATUS_FILTERS = ['PENDING', ...DELIVERY_STATES] as const;
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

/** Returns the stored status that a filter selects, and whether there must have been an attempt; null for either. */
export function storedStatusOf(filter: DeliveryStatusFilter | undefined): {
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | null;
  hasAttempts: boolean | null;
} {
  if (filter === undefined) return { status: null, hasAttempts: null };
  if (filter === 'QUEUED' || filter === 'RETRYING') return { status: 'PENDING', hasAttempts: filter === 'RETRYING' };
  return { status: filter, hasAttempts: null };
}
