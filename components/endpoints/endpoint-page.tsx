'use client';

import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Callout } from '@/components/ui/callout';
import { LoadFailure } from '@/components/ui/load-failure';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { EndpointFacts } from './endpoint-facts';
import { EndpointHead } from './endpoint-head';
import { EndpointHealthCard } from './endpoint-health-card';
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
      return (
        <LoadFailure
          what="endpoint"
          error={error}
          onRetry={() => void actions.reload()}
          back={{ href: `/projects/${projectId}/endpoints`, label: 'All endpoints' }}
        />
      );
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
        <EndpointHealthCard projectId={projectId} endpointId={endpoint.id} />
        <EndpointSecretCard actions={actions} disabledReason={disabledReason} />
        <SendTestCard sendTest={actions.sendTest} disabledReason={disabledReason} />
        <VerificationCard />
      </div>
    </>
  );
}
