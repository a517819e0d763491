import { text, time } from '@/lib/cli/options';

/** The options that choose deliveries. */
export const DELIVERY_FILTERS = {
  endpoint: text('--endpoint <id>', 'only deliveries to this endpoint'),
  destination: text('--destination <id>', 'only deliveries to this destination'),
  event: text('--event <id>', 'only deliveries of this event'),
  incomingEvent: text('--incoming-event <id>', 'only deliveries of this incoming event'),
  from: time('--from <time>', 'only deliveries of events from this time on'),
  to: time('--to <time>', 'only deliveries of events up to this time'),
};

interface GivenFilters {
  endpoint: string | undefined;
  destination: string | undefined;
  event: string | undefined;
  incomingEvent: string | undefined;
  from: Date | undefined;
  to: Date | undefined;
}

/** Returns the query of a list of deliveries. */
export function filtersOf({ endpoint, destination, event, incomingEvent, from, to }: GivenFilters) {
  return { endpointId: endpoint, destinationId: destination, eventId: event, incomingEventId: incomingEvent, from, to };
}
