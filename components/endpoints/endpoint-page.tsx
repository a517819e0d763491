'use client';

import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { LoadFailure } from '@/components/ui/error-panel';
import { PageSkeleton, Skeleton } from '@/components/ui/skeleton';
import type { Endpoint } from '@/lib/delivery/schema';
import { DisabledCallout } from './disabled-callout';
import { EndpointFacts } from './endpoint-facts';
import { EndpointHead } from './endpoint-head';
import { EndpointHealthCard } from './endpoint-health-card';
import { EndpointSecretCard } from './endpoint-secret-card';
import { EndpointSubscriptionsCard } from './endpoint-subscriptions-card';
import { RecoverButton } from './recover-button';
import { SendTestCard } from './send-test-card';
import { useEndpointHealth } from './use-endpoint-health';
import { useEndpointSubscriptions } from './use-endpoint-subscriptions';
import { useEndpoint } from './use-endpoints';
import { useSeenTypes } from './use-seen-types';
import { VerificationCard } from './verification-card';

/** One endpoint: its state, subscriptions, signing secret, a test, and sample code to verify signatures. */
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
      <CurrentBulkRetries projectId={projectId} endpointId={endpoint.id} />
      <div className="grid gap-4">
        <DisabledCallout endpoint={endpoint} />
        <EndpointFacts projectId={projectId} endpoint={endpoint} />
        <EndpointCards projectId={projectId} endpoint={endpoint} actions={actions} disabledReason={disabledReason} />
      </div>
    </>
  );
}

/** The cards whose height depends on what they load. None is shown before all have loaded, so that none moves another. */
function EndpointCards({
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
  const subscriptionReason = useDisabledReason(projectId, 'subscription.manage');
  const health = useEndpointHealth(projectId, [endpoint.id]);
  const { subscriptions, error } = useEndpointSubscriptions(projectId, endpoint.id);
  const seenTypes = useSeenTypes(projectId);
  const isLoading =
    (health.health === undefined && !health.error) ||
    (subscriptions === undefined && !error) ||
    seenTypes === undefined;
  if (isLoading) return <Skeleton className="h-96 w-full" />;
  return (
    <>
      <EndpointHealthCard
        projectId={projectId}
        endpointId={endpoint.id}
        actions={<RecoverButton projectId={projectId} endpoint={endpoint} update={actions.update} />}
      />
      <EndpointSubscriptionsCard projectId={projectId} endpointId={endpoint.id} disabledReason={subscriptionReason} />
      <EndpointSecretCard actions={actions} disabledReason={disabledReason} />
      <SendTestCard projectId={projectId} sendTest={actions.sendTest} disabledReason={disabledReason} />
      <VerificationCard />
    </>
  );
}
