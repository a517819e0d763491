'use client';

import { Pencil } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { DeleteButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyableId } from '@/components/ui/copyable-id';
import { Dialog } from '@/components/ui/dialog';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import type { Endpoint } from '@/lib/delivery/schema';
import { EndpointFacts } from './endpoint-facts';
import { EndpointForm } from './endpoint-form';
import { EndpointSecretCard } from './endpoint-secret-card';
import { SendTestCard } from './send-test-card';
import { useEndpoint } from './use-endpoints';
import { VerificationCard } from './verification-card';

/** One endpoint: its state, signing secret, a test, and sample code to verify signatures. */
export function EndpointPage({ projectId, endpointId }: { projectId: string; endpointId: string }) {
  const actions = useEndpoint(projectId, endpointId);
  const { endpoint, error } = actions;
  const disabledReason = useDisabledReason(projectId, 'endpoint.manage');
  if (endpoint === undefined) {
    if (error)
      return <ErrorPanel what="The endpoint could not be loaded" error={error} onRetry={() => void actions.reload()} />;
    return <PageSkeleton parts={['h-7 w-96 max-w-full', 'h-24 w-full', 'h-32 w-full']} />;
  }
  return (
    <>
      <EndpointHead projectId={projectId} endpoint={endpoint} actions={actions} disabledReason={disabledReason} />
      <div className="grid gap-4">
        {endpoint.enabled || endpoint.disabledReason === null ? null : (
          <Callout tone="danger">
            <p className="font-medium">Disabled automatically: {endpoint.disabledReason}</p>
            <p>
              {endpoint.disabledAt ? (
                <>
                  It was disabled <RelativeTime at={endpoint.disabledAt} />.{' '}
                </>
              ) : null}
              Edit the endpoint to enable it after you fix the receiver.
            </p>
          </Callout>
        )}
        <EndpointFacts projectId={projectId} endpoint={endpoint} />
        <EndpointSecretCard actions={actions} disabledReason={disabledReason} />
        <SendTestCard sendTest={actions.sendTest} disabledReason={disabledReason} />
        <VerificationCard />
      </div>
    </>
  );
}

function EndpointHead({
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
  const router = useRouter();
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const remove = async () => {
    await actions.remove();
    toast.success('Endpoint deleted.');
    router.push(`/projects/${projectId}/endpoints`);
  };
  return (
    <>
      <PageHeader
        title={<span className="break-all font-mono text-lg">{endpoint.url}</span>}
        description={
          <span className="flex flex-wrap items-center gap-x-3">
            {endpoint.description}
            <CopyableId id={endpoint.id} label="Copy endpoint ID" />
          </span>
        }
        actions={
          <>
            <Button disabledReason={disabledReason} onClick={() => setAsked('edit')}>
              <Pencil aria-hidden="true" />
              Edit
            </Button>
            <DeleteButton label="Delete" disabledReason={disabledReason} onClick={() => setAsked('delete')} />
          </>
        }
      />
      <Dialog open={asked === 'edit'} onOpenChange={close} title="Edit endpoint">
        <EndpointForm
          endpoint={endpoint}
          submitLabel="Save endpoint"
          send={async (body) => {
            await actions.update(body);
            close();
          }}
        />
      </Dialog>
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={close}
        title="Delete this endpoint?"
        description="Its subscriptions are deleted too, and it gets no more events. Existing deliveries stay visible."
        confirmLabel="Delete endpoint"
        onConfirm={remove}
      />
    </>
  );
}
