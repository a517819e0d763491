import type { Endpoint } from '@/lib/delivery/schema';
import type { NewEndpointBody } from './use-endpoints';

/** What the URL of an endpoint's page has when it was just created: the page then offers the events from before. */
export const NEW_ENDPOINT = { name: 'created', value: 'now' };

/** Returns the end of the URL of the page of an endpoint that was just created. */
export function pageOfNew({ id, enabled }: Endpoint, { eventTypes = [] }: NewEndpointBody): string {
  const mayHaveMissed = enabled && eventTypes.length > 0;
  return mayHaveMissed ? `${id}?${NEW_ENDPOINT.name}=${NEW_ENDPOINT.value}` : id;
}
