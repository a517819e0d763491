import { hash } from 'node:crypto';

/**
 * Returns the id of the delivery of an event or incoming event to a target: a UUIDv7 with the event's time, and a hash of both
 * ids in place of the random part. So the primary key prevents two workers from storing a delivery twice.
 */
export function deliveryIdOf(sourceId: string, targetId: string): string {
  const digest = hash('sha256', `${sourceId}:${targetId}`, 'hex');
  return `${sourceId.slice(0, 13)}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
