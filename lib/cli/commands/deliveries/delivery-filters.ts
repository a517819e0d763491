import { choice, text } from '@/lib/cli/options';
import type { DeliveryStatus } from '@/lib/delivery/schema';

const STATUS_BY_WORD = { pending: 'PENDING', delivered: 'SUCCEEDED', failed: 'FAILED' } as const;

/** The filters of deliveries by their target and their event. */
export const deliveryFilters = {
  endpoint: text('--endpoint <id>', 'only those to this endpoint'),
  destination: text('--destination <id>', 'only those to this destination'),
  event: text('--event <id>', 'only those of this event'),
  incoming: text('--incoming <id>', 'only those of this incoming event'),
};

export const stateFilter = choice('--state <state>', 'only those in this state', ['pending', 'delivered', 'failed']);

type Chosen = { [K in keyof typeof deliveryFilters]: string | undefined };

/** Returns the filters as the API names them. */
export function toDeliveryQuery(
  { endpoint, destination, event, incoming }: Chosen,
  state: keyof typeof STATUS_BY_WORD | undefined,
) {
  const status: DeliveryStatus | undefined = state === undefined ? undefined : STATUS_BY_WORD[state];
  return { status, endpointId: endpoint, destinationId: destination, eventId: event, incomingEventId: incoming };
}
