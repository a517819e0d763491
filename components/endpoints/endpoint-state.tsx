import { CircleCheck, CirclePause, TriangleAlert } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Endpoint } from '@/lib/delivery/schema';

/** Whether an endpoint, or a destination, is enabled, failing, paused or disabled. */
export function EndpointState({
  endpoint,
}: {
  /** Only endpoints can be paused. */
  endpoint: Pick<Endpoint, 'enabled' | 'disabledReason' | 'failingSince'> & Partial<Pick<Endpoint, 'pauseReason'>>;
}) {
  if (!endpoint.enabled) {
    return (
      <Badge tone={endpoint.disabledReason === null ? 'neutral' : 'danger'} icon={CirclePause}>
        {endpoint.disabledReason === null && endpoint.pauseReason !== undefined ? 'Paused' : 'Disabled'}
      </Badge>
    );
  }
  if (endpoint.failingSince !== null) {
    return (
      <Badge tone="warning" icon={TriangleAlert}>
        Failing
      </Badge>
    );
  }
  return (
    <Badge tone="success" icon={CircleCheck}>
      Enabled
    </Badge>
  );
}
