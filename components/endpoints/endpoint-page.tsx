'use client';

import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { useTestReceiver } from '@/components/tunnels/use-test-receiver';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { LoadFailure } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton, Skeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import type { Endpoint } from '@/lib/delivery/schema';
import { EndpointHead } from './endpoint-head';
import { EndpointHealthCard } from './endpoint-health-card';
import { EndpointSecretCard } from './endpoint-secret-card';
import { EndpointState } from './endpoint-state';
import { EndpointSubscriptionsCard } from './endpoint-subscriptions-card';
import { RecoverForm } from './recover-form';
import { describeRetrySeconds } from './retry-schedule';
import { SendTestCard } from './send-test-card';
import { useEndpointHealth } from './use-endpoint-health';
import { useEndpointSubscriptions } from './use-endpoint-subscriptions';
import { type EndpointChange, useEndpoint } from './use-endpoints';
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

/** Says since when and why an endpoint gets no deliveries. Renders nothing while it is enabled. */
function DisabledCallout({ endpoint }: { endpoint: Endpoint }) {
  const { enabled, disabledReason, disabledAt, pauseReason } = endpoint;
  if (enabled) return null;
  const since = disabledAt === null ? null : <RelativeTime at={disabledAt} />;
  if (disabledReason === null) {
    return (
      <Callout tone="warning">
        <p className="font-medium">Paused{pauseReason === null ? '' : `: ${pauseReason}`}</p>
        <p>
          {since === null ? null : <>It was paused {since}. </>}
          It receives no deliveries until you resume it.
        </p>
      </Callout>
    );
  }
  return (
    <Callout tone="danger">
      <p className="font-medium">Disabled automatically: {disabledReason}</p>
      <p>
        {since === null ? null : <>It was disabled {since}. </>}
        Enable it after you fix the receiver.
      </p>
    </Callout>
  );
}

/** Retries what an endpoint has failed since a time. */
function RecoverButton({
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

/** The state and the retry schedule of an endpoint. */
function EndpointFacts({ projectId, endpoint }: { projectId: string; endpoint: Endpoint }) {
  const receiver = useTestReceiver(projectId, endpoint.url);
  const link = 'font-medium text-accent-text hover:underline';
  return (
    <Card>
      <StatList>
        <Stat label="State">
          <EndpointState endpoint={endpoint} />
          {endpoint.failingSince && endpoint.enabled ? (
            <span className="ml-2 text-muted text-xs">
              since <RelativeTime at={endpoint.failingSince} />
            </span>
          ) : null}
        </Stat>
        <Stat label="Retries">{describeRetrySeconds(endpoint.retrySeconds)}</Stat>
        <Stat label="Deliveries">
          <Link href={`/projects/${projectId}/deliveries?endpointId=${endpoint.id}`} className={link}>
            View deliveries
          </Link>
        </Stat>
        {receiver === undefined ? null : (
          <Stat label="Test receiver">
            <Link href={`/projects/${projectId}/tunnels/${receiver.id}`} className={link}>
              See what arrived
            </Link>
          </Stat>
        )}
        <Stat label="Created">
          <RelativeTime at={endpoint.createdAt} />
        </Stat>
      </StatList>
    </Card>
  );
}
