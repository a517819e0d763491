import { Ban, CircleCheck, CirclePause, TriangleAlert } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Endpoint } from '@/lib/delivery/schema';

/** Whether an endpoint, or a destination, is enabled, failing, paused or disabled. */
export function EndpointState({
  endpoint,
}: {
  endpoint: Pick<Endpoint, 'enabled' | 'disabledReason' | 'failingSince'>;
}) {
  if (!endpoint.enabled) {
    return endpoint.disabledReason === null ? (
      <Badge icon={CirclePause}>Paused</Badge>
    ) : (
      <Badge tone="danger" icon={Ban}>
        Disabled
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
