import type { Column } from '@/lib/cli/output/column';
import type { Delivery } from '@/lib/delivery/schema';
import type { IncomingEvent, IncomingEventDetail } from '@/lib/incoming/schema';

export const INCOMING_COLUMNS: Column<IncomingEvent>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'SOURCE', value: ({ sourceId }) => sourceId, kind: 'id', spare: 1 },
  { header: 'SIGNATURE', value: ({ verified }) => signatureState(verified), kind: 'state' },
  { header: 'TYPE', value: ({ contentType }) => contentType },
  { header: 'SIZE', value: ({ size }) => size, kind: 'size' },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

export const INCOMING_FIELDS: Column<IncomingEventDetail>[] = [
  ...INCOMING_COLUMNS,
  { header: 'METHOD', value: ({ method }) => method },
  { header: 'QUERY', value: ({ query }) => query },
  { header: 'PROVIDER’S ID', value: ({ providerEventId }) => providerEventId },
];

export const FORWARD_COLUMNS: Column<Delivery>[] = [
  { header: 'DELIVERY', value: ({ id }) => id, kind: 'id' },
  { header: 'DESTINATION', value: ({ destinationId }) => destinationId, kind: 'id', spare: 1 },
  { header: 'STATUS', value: ({ status }) => status, kind: 'state' },
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount, spare: 2 },
  { header: 'RESPONSE', value: ({ lastResponseStatus }) => lastResponseStatus, kind: 'state' },
  { header: 'NEXT ATTEMPT', value: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time', spare: 2 },
  { header: 'ERROR', value: ({ lastError }) => lastError },
];

function signatureState(verified: boolean | null): string | null {
  if (verified === null) return null;
  return verified ? 'verified' : 'unverified';
}
