'use client';

import { useDestinationNames } from '@/components/destinations/use-destination-names';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import type { Delivery } from '@/lib/delivery/schema';

/** Returns the URL of the endpoint or destination of a delivery; undefined while loading, and after it is deleted. */
export function useTargetUrl(
  projectId: string,
  { endpointId, destinationId }: Pick<Delivery, 'endpointId' | 'destinationId'>,
): string | undefined {
  const { urlOf } = useEndpointNames(projectId);
  const { destinationOf } = useDestinationNames(projectId, destinationId !== null);
  return endpointId === null ? destinationOf(destinationId)?.url : urlOf(endpointId);
}
