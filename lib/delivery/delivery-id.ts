import { hash } from 'node:crypto';

/**
 * The id of the delivery of an event (or incoming event) to a target: a UUIDv7 with the event's time, whose random part is
 * a hash of both ids. A delivery that two workers make of one event is therefore one row, without an index of its own.
 */
export function deliveryIdOf(sourceId: string, targetId: string): string {
  const digest = hash('sha256', `${sourceId}:${targetId}`, 'hex');
  return `${sourceId.slice(0, 13)}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
