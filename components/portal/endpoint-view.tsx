'use client';

import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { StatusDot } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { useNow } from '@/components/ui/clock';
import type { CodeSample } from '@/components/ui/code-tabs';
import { InlineError } from '@/components/ui/inline-error';
import { Skeleton } from '@/components/ui/skeleton';
import { PageTabs } from '@/components/ui/tabs';
import type { PortalEndpoint } from '@/lib/portal/schema';
import { DeliveryList } from './delivery-list';
import { describeHealth } from './describe-endpoint';
import { EndpointSettings } from './endpoint-settings';
import { ListFailure } from './list-parts';
import { MissedEvents } from './missed-events';
import { TestPart } from './test-part';
import { usePortal } from './use-portal';
import { useEndpoint, useLastDeliveryAt, useSubscriptions } from './use-portal-data';
import type { EndpointTab, Navigation, View } from './use-view';
import { VerifyPart } from './verify-part';
import { ViewFrame } from './view-frame';

/** An endpoint: how it fares, what was sent to it, and what sets it up. */
export function EndpointView({
  view: { endpointId, tab, isNew = false },
  navigation,
  samples,
}: {
  view: View & { name: 'endpoint' };
  navigation: Navigation;
  samples: readonly CodeSample[];
}) {
  const { canManage } = usePortal();
  const { data: endpoint, error, mutate } = useEndpoint(endpointId);
  const back = { label: 'All endpoints', go: () => navigation.go({ name: 'home', tab: 'endpoints' }) };
  if (endpoint === undefined) {
    return (
      <ViewFrame title="Endpoint" back={back} navigation={navigation}>
        <div className="mt-6">
          {error ? (
            <ListFailure what="the endpoint" error={error} retry={mutate} />
          ) : (
            <Skeleton className="h-64 w-full" />
          )}
        </div>
      </ViewFrame>
    );
  }
  const show = (changed: PortalEndpoint) => mutate(changed, { revalidate: false });
  const goTo = (next: EndpointTab) => navigation.replace({ name: 'endpoint', endpointId, tab: next });
  const tabs = [
    {
      value: 'deliveries',
      label: 'Deliveries',
      content: <DeliveryList endpointId={endpointId} navigation={navigation} />,
    },
    ...(canManage ? [{ value: 'test', label: 'Test', content: <TestPart endpointId={endpointId} /> }] : []),
    { value: 'verify', label: 'Verify', content: <VerifyPart endpoint={endpoint} samples={samples} /> },
    {
      value: 'settings',
      label: 'Settings',
      content: <EndpointSettings endpoint={endpoint} onChange={show} onDeleted={back.go} />,
    },
  ];
  return (
    <ViewFrame title={endpoint.url} back={back} navigation={navigation}>
      {endpoint.description === null ? null : <p className="wrap-anywhere mt-1 text-muted">{endpoint.description}</p>}
      <HealthLine endpoint={endpoint} onChange={show} />
      {isNew ? (
        <Callout tone="success" role="status" className="mt-5">
          <p className="font-medium">Your endpoint is added.</p>
          <p>
            Let your code verify requests with the secret below. Then{' '}
            <button
              type="button"
              className="font-medium text-accent-text underline underline-offset-4"
              onClick={() => goTo('test')}
            >
              send a test
            </button>
            .
          </p>
        </Callout>
      ) : null}
      <div className="mt-6">
        <PageTabs label="Endpoint" value={tab} onChange={(next) => goTo(next as EndpointTab)} tabs={tabs} />
      </div>
    </ViewFrame>
  );
}

/** How the endpoint fares, and the button that pauses it or lets it continue. */
function HealthLine({ endpoint, onChange }: { endpoint: PortalEndpoint; onChange: (changed: PortalEndpoint) => void }) {
  const { canManage, fetch } = usePortal();
  const { subscriptions } = useSubscriptions(endpoint.id);
  const { pending, error, run } = useAsyncAction();
  const now = useNow(10_000);
  const eventTypeCount = subscriptions?.filter(({ enabled }) => enabled).length;
  const lastDeliveryAt = useLastDeliveryAt(endpoint.id);
  const isKnown = eventTypeCount !== undefined && lastDeliveryAt !== undefined;
  const { tone, word, sentence } = isKnown
    ? describeHealth({ ...endpoint, eventTypeCount, lastDeliveryAt }, now)
    : { tone: 'neutral' as const, word: '…', sentence: null };
  const { enabled } = endpoint;
  const [offSince, setOffSince] = useState<string | null>(null);
  const change = () =>
    run(async () => {
      const body = { enabled: !enabled };
      setOffSince(enabled ? null : endpoint.disabledAt);
      onChange(await fetch<PortalEndpoint>(`/endpoints/${endpoint.id}`, { method: 'PATCH', body }));
    });
  const Icon = enabled ? Pause : Play;
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p role="status" className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm">
          <StatusDot tone={tone} />
          <span className="font-medium">{word}</span>
          {sentence === null ? null : <span className="wrap-anywhere min-w-0 text-muted">{sentence}</span>}
        </p>
        {canManage ? (
          <Button loading={pending} onClick={() => void change()}>
            <Icon aria-hidden="true" />
            {enabled ? 'Pause' : endpoint.disabledReason === null ? 'Resume' : 'Turn on'}
          </Button>
        ) : null}
      </div>
      <InlineError what="We couldn’t change the endpoint" error={error} className="mt-3" />
      {enabled && offSince !== null ? (
        <MissedEvents endpointId={endpoint.id} since={offSince} onDone={() => setOffSince(null)} />
      ) : null}
    </>
  );
}
