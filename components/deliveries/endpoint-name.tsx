'use client';

import { useParams } from 'next/navigation';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';

/** The URL of an endpoint, or the end of its id after it is deleted. */
export function EndpointName({ endpointId }: { endpointId: string | null }) {
  const { projectId } = useParams<{ projectId: string }>();
  const { urlOf } = useEndpointNames(projectId);
  if (endpointId === null) return <span className="text-muted">–</span>;
  return (
    <span className="block truncate font-mono text-muted text-xs">
      {urlOf(endpointId) ?? `…${endpointId.slice(-8)}`}
    </span>
  );
}
