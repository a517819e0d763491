import type { Column } from '@/lib/cli/output/column';
import type { Delivery } from '@/lib/delivery/schema';
import { deliveryStateOf } from '@/lib/events/delivery-state-policy';

/** A delivery with the URL that it goes to. */
export type NamedDelivery = Delivery & { target: string };

/** The status of the last response, or why there was none. */
export const resultOf = ({ lastResponseStatus, lastError }: Delivery) => lastResponseStatus ?? lastError;

/** The columns of the deliveries of one event. */
export const EVENT_DELIVERY_COLUMNS: Column<NamedDelivery>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'STATUS', value: deliveryStateOf, kind: 'state' },
  { header: 'RESULT', value: resultOf, kind: 'state' },
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount, spare: 3 },
  { header: 'NEXT', value: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time', spare: 2 },
  { header: 'TARGET', value: ({ target }) => target, kind: 'url' },
];

export const DELIVERY_COLUMNS: Column<NamedDelivery>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'STATUS', value: deliveryStateOf, kind: 'state' },
  { header: 'RESULT', value: resultOf, kind: 'state' },
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount, spare: 3 },
  { header: 'EVENT', value: ({ eventType }) => eventType ?? 'incoming', spare: 1 },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 2 },
  { header: 'TARGET', value: ({ target }) => target, kind: 'url' },
];
