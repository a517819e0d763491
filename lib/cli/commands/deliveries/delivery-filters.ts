import { text, time } from '@/lib/cli/options';

/** The options that choose deliveries. */
export const DELIVERY_FILTERS = {
  endpoint: text('--endpoint <id>', 'only deliveries to this endpoint'),
  destination: text('--destination <id>', 'only deliveries to this destination'),
  event: text('--event <id>', 'only deliveries of this event'),
  incomingEvent: text('--incoming-event <id>', 'only deliveries of this incoming event'),
  type: text('-t, --type <type>', 'only deliveries of events of this type or pattern, such as `order.*`'),
  responseStatus: text(
    '--response-status <status>',
    'only deliveries with this last response: a status code, `5xx`, or `none`',
  ),
  from: time('--from <time>', 'only deliveries of events since this time'),
  to: time('--to <time>', 'only deliveries of events until this time'),
};

interface GivenFilters {
  endpoint: string | undefined;
  destination: string | undefined;
  event: string | undefined;
  incomingEvent: string | undefined;
  type: string | undefined;
  responseStatus: string | undefined;
  from: Date | undefined;
  to: Date | undefined;
}

/** Returns the query of a list of deliveries. */
export function filtersOf({ endpoint, destination, event, incomingEvent, type, ...given }: GivenFilters) {
  return {
    ...{ endpointId: endpoint, destinationId: destination, eventId: event, incomingEventId: incomingEvent },
    ...{ eventType: type, responseStatus: given.responseStatus, from: given.from, to: given.to },
  };
}
