'use client';

import { useParams } from 'next/navigation';
import { shortId } from '@/components/ui/short-id';
import type { Delivery } from '@/lib/delivery/schema';
import { useTargetUrl } from './use-target-url';

/** The URL of the endpoint or destination of a delivery, or the end of its id after it is deleted. */
export function TargetName({ delivery }: { delivery: Pick<Delivery, 'endpointId' | 'destinationId'> }) {
  const { projectId } = useParams<{ projectId: string }>();
  const url = useTargetUrl(projectId, delivery);
  const id = delivery.endpointId ?? delivery.destinationId;
  if (id === null) return <span className="text-muted">–</span>;
  return <span className="block truncate font-mono text-muted text-xs">{url ?? shortId(id)}</span>;
}
