'use client';

import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import type { Endpoint } from '@/lib/delivery/schema';
import { PauseDialog } from './pause-dialog';
import type { EndpointChange } from './use-endpoints';

interface PauseProps {
  endpoint: Endpoint;
  update: (change: EndpointChange) => Promise<unknown>;
  disabledReason: string | undefined;
}

/** Pauses an endpoint with a reason, or resumes it. */
export function PauseButton({ endpoint, update, disabledReason }: PauseProps) {
  const [asking, setAsking] = useState(false);
  const [pending, setPending] = useState(false);
  const resume = async () => {
    setPending(true);
    try {
      await update({ enabled: true });
    } catch (error) {
      toast.error(`We couldn’t enable the endpoint. ${describeError(error).detail}`);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      {endpoint.enabled ? (
        <Button disabledReason={disabledReason} onClick={() => setAsking(true)}>
          <Pause aria-hidden="true" />
          Pause
        </Button>
      ) : (
        <Button loading={pending} disabledReason={disabledReason} onClick={() => void resume()}>
          <Play aria-hidden="true" />
          {endpoint.disabledReason === null ? 'Resume' : 'Enable'}
        </Button>
      )}
      <PauseDialog open={asking} onOpenChange={setAsking} noun="endpoint" pause={update} />
    </>
  );
}
