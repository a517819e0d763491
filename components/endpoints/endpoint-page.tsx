'use client';

import { History, Pause, Play, RotateCw } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { CustomerLink } from '@/components/customers/customer-link';
import { DELIVERY_COLUMNS } from '@/components/deliveries/delivery-columns';
import { RecentDeliveries, useRecentDeliveries } from '@/components/deliveries/recent-deliveries';
import { CurrentEventReplays } from '@/components/event-replays/current-event-replays';
import type { Missed } from '@/components/event-replays/missed-events';
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
import { describeRetrySeconds } from './endpoint-fields';
import { EndpointHealthCard } from './endpoint-health';
import { NEW_ENDPOINT } from './new-endpoint';
import {
  type EndpointActions,
  useEndpoint,
  useEndpointHealth,
  useEndpointSubscriptions,
  useKnownTypes,
} from './use-endpoints';
import { type OutageTarget, useOutages } from './use-outages';

/** Without `loading` the whole page waits for the code, and what is typed meanwhile is lost. */
const EndpointTools = dynamic(() => import('./endpoint-tools').then((part) => part.EndpointTools), {
  loading: () => <Skeleton className="h-64" />,
});
const OutageStrip = dynamic(() => import('./outage-strip').then((part) => part.OutageStrip), {
  loading: () => <Skeleton className="h-24" />,
});
const PauseDialog = dynamic(() => import('./pause-dialog').then((part) => part.PauseDialog), { loading: () => null });
const EndpointForm = dynamic(() => import('./endpoint-form').then((part) => part.EndpointForm));
const RecoverDialog = dynamic(() => import('./recover-form').then((part) => part.RecoverDialog), {
  loading: () => null,
});
const MissedEvents = dynamic(
  () => import('@/components/event-replays/missed-events').then((part) => part.MissedEvents),
  { loading: () => null },
);
const ReplayEventsDialog = dynamic(
  () => import('@/components/event-replays/replay-events-dialog').then((part) => part.ReplayEventsDialog),
  { loading: () => null },
);

const COLUMNS = DELIVERY_COLUMNS.filter(({ header }) => header !== 'Target');

interface EndpointProps {
  endpoint: Endpoint;
  actions: EndpointActions;
}

/** One endpoint: its outages and deliveries, state, subscriptions, signing secret, a test, and sample code to verify signatures. */
export function EndpointPage() {
  const actions = useEndpoint();
  const { missed, setMissed } = useMissed();
  return (
    <ResourcePage
      from={actions}
      skeleton={['h-7 w-96 max-w-full', 'h-24 w-full', 'h-32 w-full']}
      failure={(failure) => <ResourceFailure kind="endpoint" {...failure} />}
    >
      {(endpoint) => (
        <>
          <EndpointHead endpoint={endpoint} actions={actions} onEnabled={setMissed} />
          {missed === null || !endpoint.enabled ? null : (
            <MissedEvents endpointId={endpoint.id} missed={missed} onDone={() => setMissed(null)} />
          )}
          <CurrentEventReplays endpointId={endpoint.id} />
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

const DAY_MS = 24 * 60 * 60_000;

/** What the endpoint may have missed: since it was turned off, or before it was created on the page before. */
function useMissed() {
  const isNew = useSearchParams().get(NEW_ENDPOINT.name) === NEW_ENDPOINT.value;
  // A reload, or a copy of the URL, must not ask again.
  useEffect(() => {
    if (isNew) window.history.replaceState(null, '', window.location.pathname);
  }, [isNew]);
  const [missed, setMissed] = useState<Missed | null>(() =>
    isNew ? { from: new Date(Date.now() - DAY_MS).toISOString(), isNew } : null,
  );
  return { missed, setMissed };
}

interface HeadProps extends EndpointProps {
  onEnabled: (missed: Missed | null) => void;
}

function EndpointHead({ endpoint, actions, onEnabled }: HeadProps) {
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
          <CustomerLink of={endpoint} />
          {endpoint.uid === null ? null : <CopyableId id={endpoint.uid} label="Copy your own ID" />}
          <CopyableId id={endpoint.id} label="Copy endpoint ID" />
        </span>
      }
      actions={<PauseButton endpoint={endpoint} actions={actions} onEnabled={onEnabled} />}
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

function PauseButton({ endpoint, actions: { update }, onEnabled }: HeadProps) {
  const disabledReason = useDisabledReason('endpoint.manage');
  const [asking, setAsking] = useState(false);
  const { pending, run } = useToastAction('We couldn’t enable the endpoint');
  const enable = async () => {
    const { disabledAt } = endpoint;
    await update({ enabled: true });
    onEnabled(disabledAt === null ? null : { from: disabledAt, isNew: false });
  };
  return (
    <>
      {endpoint.enabled ? (
        <Button disabledReason={disabledReason} onClick={() => setAsking(true)}>
          <Pause aria-hidden="true" />
          Pause
        </Button>
      ) : (
        <Button loading={pending} disabledReason={disabledReason} onClick={() => run(enable)}>
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
  const seenTypes = useKnownTypes();
  const target = outageTargetOf(endpoint, actions);
  const outages = useOutages([target]);
  const deliveries = useRecentDeliveries({ endpointId: endpoint.id });
  const isLoading =
    outages.isLoading ||
    (deliveries.pages.rows === undefined && !deliveries.pages.error) ||
    (health.health === undefined && !health.error) ||
    (subscriptions === undefined && !error) ||
    seenTypes === undefined;
  if (isLoading) return <Skeleton className="h-96 w-full" />;
  const ofTarget = outages.of(target);
  const hasOutages = (ofTarget?.rows.length ?? 0) > 0 || (ofTarget?.waiting?.outsideOutages ?? 0) > 0;
  return (
    <>
      {hasOutages ? (
        <OutageStrip
          target={target}
          outages={ofTarget}
          onStarted={() => Promise.all([outages.reload(), deliveries.pages.reload()])}
        />
      ) : null}
      <RecentDeliveries noun="endpoint" columns={COLUMNS} list={deliveries} />
      <EndpointFacts endpoint={endpoint} />
      <EndpointHealthCard
        endpointId={endpoint.id}
        actions={
          <span className="flex flex-wrap gap-2">
            <RecoverButton target={target} />
            <ReplayEventsButton endpoint={endpoint} />
          </span>
        }
      />
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

function ReplayEventsButton({ endpoint }: { endpoint: Endpoint }) {
  const roleReason = useDisabledReason('delivery.retry');
  const [asking, setAsking] = useState<boolean>();
  const isOff = endpoint.enabled ? undefined : 'Enable the endpoint first.';
  return (
    <>
      <Button size="sm" disabledReason={roleReason ?? isOff} onClick={() => setAsking(true)}>
        <History aria-hidden="true" />
        Replay events…
      </Button>
      {asking === undefined ? null : <ReplayEventsDialog open={asking} onOpenChange={setAsking} endpoint={endpoint} />}
    </>
  );
}
