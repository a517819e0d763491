'use client';

import { Pause, Play, RotateCw } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { useToastAction } from '@/components/form/use-async-action';
import { HistoryTabs } from '@/components/orgs/audit/history-links';
import { ResourceFailure, ResourceHead, ResourcePage } from '@/components/projects/resource-page';
import { EndpointState } from '@/components/projects/state-badges';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { useTestReceiver } from '@/components/tunnels/use-tunnels';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CopyableId } from '@/components/ui/copyable-id';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import type { Endpoint } from '@/lib/delivery/schema';
import { EndpointDeliveries, useEndpointDeliveries } from './endpoint-deliveries';
import { describeRetrySeconds } from './endpoint-fields';
import { EndpointHealthCard } from './endpoint-health';
import { OutageStrip } from './outage-strip';
import {
  type EndpointActions,
  useEndpoint,
  useEndpointHealth,
  useEndpointSubscriptions,
  useSeenTypes,
} from './use-endpoints';
import { type OutageTarget, useOutages } from './use-outages';

/** Without `loading` the whole page waits for the code, and what is typed meanwhile is lost. */
const EndpointTools = dynamic(() => import('./endpoint-tools').then((part) => part.EndpointTools), {
  loading: () => <Skeleton className="h-64" />,
});
const PauseDialog = dynamic(() => import('./pause-dialog').then((part) => part.PauseDialog), { loading: () => null });
const EndpointForm = dynamic(() => import('./endpoint-form').then((part) => part.EndpointForm));
const RecoverDialog = dynamic(() => import('./recover-form').then((part) => part.RecoverDialog), {
  loading: () => null,
});

interface EndpointProps {
  endpoint: Endpoint;
  actions: EndpointActions;
}

/** One endpoint: its outages and deliveries, state, subscriptions, signing secret, a test, and sample code to verify signatures. */
export function EndpointPage() {
  const actions = useEndpoint();
  return (
    <ResourcePage
      from={actions}
      skeleton={['h-7 w-96 max-w-full', 'h-24 w-full', 'h-32 w-full']}
      failure={(failure) => <ResourceFailure kind="endpoint" {...failure} />}
    >
      {(endpoint) => (
        <>
          <EndpointHead endpoint={endpoint} actions={actions} />
          <CurrentBulkRetries isShown={({ endpointId }) => endpointId === endpoint.id} />
          <HistoryTabs targetId={endpoint.id}>
            <div className="grid gap-4">
              <DisabledCallout endpoint={endpoint} />
              <EndpointCards endpoint={endpoint} actions={actions} />
            </div>
          </HistoryTabs>
        </>
      )}
    </ResourcePage>
  );
}

function EndpointHead({ endpoint, actions }: EndpointProps) {
  return (
    <ResourceHead
      kind="endpoint"
      title={
        <span title={endpoint.url} className="line-clamp-6 break-all font-mono text-lg">
          {endpoint.url}
        </span>
      }
      description={
        <span className="wrap-anywhere flex flex-wrap items-center gap-x-3">
          {endpoint.description}
          <CopyableId id={endpoint.id} label="Copy endpoint ID" />
        </span>
      }
      actions={<PauseButton endpoint={endpoint} actions={actions} />}
      disabledReason={useDisabledReason('endpoint.manage')}
      editForm={(close) => <EndpointForm endpoint={endpoint} send={(body) => actions.update(body).then(close)} />}
      deletion={{
        title: 'Delete this endpoint?',
        description:
          'Its subscriptions are deleted too, and it stops receiving events. Existing deliveries stay visible.',
      }}
      remove={actions.remove}
    />
  );
}

function PauseButton({ endpoint, actions: { update } }: EndpointProps) {
  const disabledReason = useDisabledReason('endpoint.manage');
  const [asking, setAsking] = useState(false);
  const { pending, run } = useToastAction('We couldn’t enable the endpoint');
  return (
    <>
      {endpoint.enabled ? (
        <Button disabledReason={disabledReason} onClick={() => setAsking(true)}>
          <Pause aria-hidden="true" />
          Pause
        </Button>
      ) : (
        <Button loading={pending} disabledReason={disabledReason} onClick={() => run(() => update({ enabled: true }))}>
          <Play aria-hidden="true" />
          {endpoint.disabledReason === null ? 'Resume' : 'Enable'}
        </Button>
      )}
      <PauseDialog open={asking} onOpenChange={setAsking} noun="endpoint" pause={update} />
    </>
  );
}

/** Says since when and why an endpoint gets no deliveries. Renders nothing while it is enabled. */
function DisabledCallout({ endpoint: { enabled, disabledReason, disabledAt, pauseReason } }: { endpoint: Endpoint }) {
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

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const receiver = useTestReceiver(endpoint.url);
  const project = useProjectPath('');
  const link = 'font-medium text-accent-text hover:underline';
  return (
    <Card>
      <StatList>
        <Stat label="State">
          <EndpointState {...endpoint} />
          {endpoint.failingSince && endpoint.enabled ? (
            <span className="ml-2 text-muted text-xs">
              since <RelativeTime at={endpoint.failingSince} />
            </span>
          ) : null}
        </Stat>
        <Stat label="Retries">{describeRetrySeconds(endpoint.retrySeconds)}</Stat>
        {receiver === undefined ? null : (
          <Stat label="Test receiver">
            <Link href={`${project}tunnels/${receiver.id}`} className={link}>
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

/** The cards whose height depends on what they load. None is shown before all have loaded, so that none moves another. */
function EndpointCards({ endpoint, actions }: EndpointProps) {
  const health = useEndpointHealth([endpoint.id]);
  const { subscriptions, error } = useEndpointSubscriptions(endpoint.id);
  const seenTypes = useSeenTypes();
  const target = outageTargetOf(endpoint, actions);
  const outages = useOutages([target]);
  const deliveries = useEndpointDeliveries(endpoint.id);
  const isLoading =
    outages.isLoading ||
    (deliveries.pages.rows === undefined && !deliveries.pages.error) ||
    (health.health === undefined && !health.error) ||
    (subscriptions === undefined && !error) ||
    seenTypes === undefined;
  if (isLoading) return <Skeleton className="h-96 w-full" />;
  return (
    <>
      <OutageStrip
        target={target}
        outages={outages.of(target)}
        onStarted={() => Promise.all([outages.reload(), deliveries.pages.reload()])}
      />
      <EndpointDeliveries endpointId={endpoint.id} list={deliveries} />
      <EndpointFacts endpoint={endpoint} />
      <EndpointHealthCard endpointId={endpoint.id} actions={<RecoverButton target={target} />} />
      <EndpointTools endpoint={endpoint} actions={actions} />
    </>
  );
}

const outageTargetOf = (endpoint: Endpoint, { path, update }: EndpointActions): OutageTarget => ({
  noun: 'endpoint',
  path,
  filter: { endpointId: endpoint.id },
  state: endpoint,
  enable: () => update({ enabled: true }),
});

function RecoverButton({ target }: { target: OutageTarget }) {
  const disabledReason = useDisabledReason('delivery.retry');
  const [asking, setAsking] = useState<boolean>();
  return (
    <>
      <Button size="sm" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        <RotateCw aria-hidden="true" />
        Recover since…
      </Button>
      {asking === undefined ? null : <RecoverDialog open={asking} onOpenChange={setAsking} target={target} />}
    </>
  );
}
