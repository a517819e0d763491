'use client';

import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
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
  const resume = useAsyncAction();
  if (!endpoint.enabled) {
    return (
      <>
        <Button
          size="sm"
          loading={resume.pending}
          disabledReason={disabledReason}
          onClick={() => void resume.run(() => update({ enabled: true }))}
        >
          <Play aria-hidden="true" />
          {endpoint.disabledReason === null ? 'Resume' : 'Enable'}
        </Button>
        <InlineError what="We couldn’t enable the endpoint" error={resume.error} />
      </>
    );
  }
  return (
    <>
      <Button size="sm" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        <Pause aria-hidden="true" />
        Pause
      </Button>
      <PauseDialog open={asking} onOpenChange={setAsking} noun="endpoint" pause={update} />
    </>
  );
}
