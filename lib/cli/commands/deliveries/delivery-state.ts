import type { Column } from '@/lib/cli/output/column';
import type { Delivery } from '@/lib/delivery/schema';

/** Returns the state in the words of the dashboard. */
export function deliveryState({ status, attemptCount }: Pick<Delivery, 'status' | 'attemptCount'>): string {
  if (status === 'SUCCEEDED') return 'delivered';
  if (status === 'FAILED') return 'failed';
  return attemptCount === 0 ? 'queued' : 'retrying';
}

/** Returns where a delivery goes. */
export function targetOf({ endpointId, destinationId }: Pick<Delivery, 'endpointId' | 'destinationId'>): string {
  return endpointId === null ? `destination ${destinationId}` : `endpoint ${endpointId}`;
}

export const DELIVERY_COLUMNS: Column<Delivery>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'STATE', value: deliveryState, kind: 'state' },
  { header: 'EVENT', value: ({ eventType }) => eventType },
  { header: 'TARGET', value: targetOf },
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount },
  { header: 'RESPONSE', value: ({ lastResponseStatus }) => lastResponseStatus, kind: 'state' },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

/** The fields of one delivery: what went wrong, and when the next attempt is. */
export const DELIVERY_FIELDS: Column<Delivery>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'STATE', value: deliveryState, kind: 'state' },
  { header: 'LAST RESPONSE', value: ({ lastResponseStatus }) => lastResponseStatus, kind: 'state' },
  { header: 'LAST ERROR', value: ({ lastError }) => lastError },
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount },
  { header: 'LAST ATTEMPT', value: ({ lastAttemptAt }) => lastAttemptAt, kind: 'time' },
  { header: 'NEXT ATTEMPT', value: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time' },
  { header: 'EVENT', value: ({ eventId, incomingEventId }) => eventId ?? incomingEventId },
  { header: 'TYPE', value: ({ eventType }) => eventType },
  { header: 'TARGET', value: targetOf },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];
