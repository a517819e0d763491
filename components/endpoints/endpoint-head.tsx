'use client';

import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { ResourceHead } from '@/components/projects/resource-head';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { toast } from '@/components/ui/toast';
import type { Endpoint } from '@/lib/delivery/schema';
import { EndpointForm } from './endpoint-form';
import { PauseDialog } from './pause-dialog';
import type { EndpointChange, useEndpoint } from './use-endpoints';

interface PauseProps {
  endpoint: Endpoint;
  update: (change: EndpointChange) => Promise<unknown>;
  disabledReason: string | undefined;
}

/** The URL and description of an endpoint, and the buttons that pause, edit and delete it. */
export function EndpointHead({
  projectId,
  endpoint,
  actions,
  disabledReason,
}: {
  projectId: string;
  endpoint: Endpoint;
  actions: ReturnType<typeof useEndpoint>;
  disabledReason: string | undefined;
}) {
  return (
    <ResourceHead
      kind="endpoint"
      title={<span className="break-all font-mono text-lg">{endpoint.url}</span>}
      description={
        <span className="flex flex-wrap items-center gap-x-3">
          {endpoint.description}
          <CopyableId id={endpoint.id} label="Copy endpoint ID" />
        </span>
      }
      actions={<PauseButton endpoint={endpoint} update={actions.update} disabledReason={disabledReason} />}
      disabledReason={disabledReason}
      editForm={(close) => (
        <EndpointForm
          endpoint={endpoint}
          submitLabel="Save endpoint"
          send={(body) => actions.update(body).then(close)}
        />
      )}
      deletion={{
        title: 'Delete this endpoint?',
        description:
          'Its subscriptions are deleted too, and it stops receiving events. Existing deliveries stay visible.',
      }}
      remove={actions.remove}
      listPath={`/projects/${projectId}/endpoints`}
    />
  );
}

/** Pauses an endpoint with a reason, or resumes it. */
function PauseButton({ endpoint, update, disabledReason }: PauseProps) {
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
