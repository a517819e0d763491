/**
 * What a delivery is about: an event or an incoming event. Both are removed in the same way, so the comments of this folder
 * say "event" for either.
 */
export interface DeliverySource {
  table: 'events' | 'incoming_events';
  /** The column of deliveries and of the outbox that refers to it. */
  column: 'event_id' | 'incoming_event_id';
}

export const EVENT: DeliverySource = { table: 'events', column: 'event_id' };
export const INCOMING_EVENT: DeliverySource = { table: 'incoming_events', column: 'incoming_event_id' };

/** Makes something for each source, such as a statement, by the name of its table. */
export const forEachSource = <T>(make: (source: DeliverySource) => T): Record<DeliverySource['table'], T> => ({
  events: make(EVENT),
  incoming_events: make(INCOMING_EVENT),
});

/** SQL: whether row `e` may be removed once it has expired. No delivery of it is pending, and it does not wait for its fan-out. */
export const isRemovableSql = ({ column }: DeliverySource) => `
  NOT EXISTS (SELECT FROM deliveries d WHERE d.${column} = e.id AND d.status = 'PENDING')
  AND NOT EXISTS (SELECT FROM outbox o WHERE o.${column} = e.id AND o.status = 'PENDING')`;
