'use client';

import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { LoadFailure } from '@/components/ui/load-failure';
import { PageSkeleton } from '@/components/ui/skeleton';
import { DisabledCallout } from './disabled-callout';
import { EndpointFacts } from './endpoint-facts';
import { EndpointHead } from './endpoint-head';
import { EndpointHealthCard } from './endpoint-health-card';
import { EndpointSecretCard } from './endpoint-secret-card';
import { EndpointSubscriptionsCard } from './endpoint-subscriptions-card';
import { SendTestCard } from './send-test-card';
import { useEndpoint } from './use-endpoints';
import { VerificationCard } from './verification-card';

/** One endpoint: its state, subscriptions, signing secret, a test, and sample code to verify signatures. */
export function EndpointPage({ projectId, endpointId }: { projectId: string; endpointId: string }) {
  const actions = useEndpoint(projectId, endpointId);
  const { endpoint, error } = actions;
  const disabledReason = useDisabledReason(projectId, 'endpoint.manage');
  const subscriptionReason = useDisabledReason(projectId, 'subscription.manage');
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
        <DisabledCallout endpoint={endpoint} />
        <EndpointFacts
          projectId={projectId}
          endpoint={endpoint}
          update={actions.update}
          disabledReason={disabledReason}
        />
        <EndpointHealthCard projectId={projectId} endpointId={endpoint.id} />
        <EndpointSubscriptionsCard projectId={projectId} endpointId={endpointId} disabledReason={subscriptionReason} />
        <EndpointSecretCard actions={actions} disabledReason={disabledReason} />
        <SendTestCard projectId={projectId} sendTest={actions.sendTest} disabledReason={disabledReason} />
        <VerificationCard />
      </div>
    </>
  );
}
