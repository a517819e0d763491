'use client';

import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { Endpoint } from '@/lib/delivery/schema';
import { RecoverForm } from './recover-form';
import type { EndpointChange } from './use-endpoints';

/** Retries what an endpoint has failed since a time. */
export function RecoverButton({
  projectId,
  endpoint,
  update,
}: {
  projectId: string;
  endpoint: Endpoint;
  update: (change: EndpointChange) => Promise<unknown>;
}) {
  const disabledReason = useDisabledReason(projectId, 'delivery.retry');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="sm" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        <RotateCw aria-hidden="true" />
        Recover failed since…
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Recover failed deliveries"
        description="Retries the failed deliveries of events from that time on, oldest first."
      >
        <RecoverForm projectId={projectId} endpoint={endpoint} update={update} onStarted={() => setAsking(false)} />
      </Dialog>
    </>
  );
}
