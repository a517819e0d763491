'use client';

import { RotateCw } from 'lucide-react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { useNow } from '@/components/ui/clock';
import { CopyableId } from '@/components/ui/copyable-id';
import { formatAbsolute, formatRelative } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Skeleton } from '@/components/ui/skeleton';
import { Fact } from '@/components/ui/stat';
import type { PortalDelivery } from '@/lib/portal/schema';
import { AttemptList } from './attempt-list';
import { DeliveryBadge } from './delivery-badge';
import { explainLastFailure } from './explain-failure';
import { ListFailure } from './list-parts';
import { usePortal } from './use-portal';
import { useDelivery } from './use-portal-data';
import type { Navigation, View } from './use-view';
import { ViewFrame } from './view-frame';

/** One event on its way to an endpoint: what became of it, and each attempt. */
export function DeliveryView({
  view: { deliveryId, from },
  navigation,
}: {
  view: View & { name: 'delivery' };
  navigation: Navigation;
}) {
  const { data: delivery, error, mutate } = useDelivery(deliveryId);
  const back =
    from === undefined
      ? { label: 'All deliveries', go: () => navigation.go({ name: 'home', tab: 'deliveries' }) }
      : {
          label: 'Back to the endpoint',
          go: () => navigation.go({ name: 'endpoint', endpointId: from, tab: 'deliveries' }),
        };
  if (delivery === undefined) {
    return (
      <ViewFrame title="Delivery" back={back} navigation={navigation}>
        <div className="mt-6">
          {error ? (
            <ListFailure what="the delivery" error={error} retry={mutate} />
          ) : (
            <Skeleton className="h-64 w-full" />
          )}
        </div>
      </ViewFrame>
    );
  }
  return (
    <ViewFrame title={delivery.eventType ?? 'Event'} back={back} navigation={navigation}>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <DeliveryBadge delivery={delivery} />
          <Progress delivery={delivery} />
        </p>
        <ResendButton delivery={delivery} onSent={(changed) => mutate(changed, { revalidate: false })} />
      </div>
      <Reason delivery={delivery} />
      <dl className="mt-6 grid gap-2 text-sm">
        <Fact label="Sent to">{delivery.targetUrl}</Fact>
        <Fact label="Event ID">
          <CopyableId id={delivery.eventId ?? ''} label="Copy the ID of the event" />
        </Fact>
        <Fact label="Happened">{formatAbsolute(new Date(delivery.createdAt))}</Fact>
      </dl>
      {delivery.eventId === null ? null : (
        <Button
          size="sm"
          className="mt-4"
          onClick={() => {
            const { eventId: id, eventType, createdAt } = delivery;
            if (id !== null)
              navigation.go({ name: 'event', event: { id, type: eventType ?? 'Event', createdAt }, from: deliveryId });
          }}
        >
          See where this event went
        </Button>
      )}
      <AttemptList delivery={delivery} />
    </ViewFrame>
  );
}

/** How many attempts there were, and when the next one is. */
function Progress({ delivery: { status, attemptCount, nextAttemptAt } }: { delivery: PortalDelivery }) {
  const now = useNow(1000);
  const attempts = `${attemptCount} ${attemptCount === 1 ? 'attempt' : 'attempts'}`;
  if (status !== 'PENDING') return <span className="text-muted">{attempts}</span>;
  const isDue = nextAttemptAt === null || Date.parse(nextAttemptAt) <= now.getTime();
  const next = isDue ? 'now' : formatRelative(new Date(nextAttemptAt), now);
  return (
    <span className="text-muted">
      {attemptCount === 0 ? 'Sent soon' : `${attempts}, the next ${isDue ? 'is due now' : next}`}
    </span>
  );
}

/** Why the last attempt failed, and what to do. */
function Reason({ delivery }: { delivery: PortalDelivery }) {
  const { status } = delivery;
  const { canManage } = usePortal();
  const failure = explainLastFailure(delivery);
  if (status === 'SUCCEEDED' || failure === null) return null;
  const next =
    status === 'PENDING'
      ? 'We try again by ourselves.'
      : `We no longer try by ourselves.${canManage ? ' Send it again once it is fixed.' : ''}`;
  return (
    <Callout tone={status === 'PENDING' ? 'warning' : 'danger'} className="mt-5">
      <p className="font-medium">{failure.what}</p>
      <p>
        {failure.advice} {next}
      </p>
    </Callout>
  );
}

function ResendButton({
  delivery: { id, status, attemptCount },
  onSent,
}: {
  delivery: PortalDelivery;
  onSent: (delivery: PortalDelivery) => void;
}) {
  const { canManage, fetch } = usePortal();
  const { pending, error, run } = useAsyncAction();
  if (!canManage || (status === 'PENDING' && attemptCount === 0)) return null;
  const send = () =>
    run(async () => onSent(await fetch<PortalDelivery>(`/deliveries/${id}/retry`, { method: 'POST' })));
  return (
    <>
      <Button variant={status === 'SUCCEEDED' ? 'secondary' : 'primary'} loading={pending} onClick={() => void send()}>
        <RotateCw aria-hidden="true" />
        {status === 'PENDING' ? 'Try now' : 'Send again'}
      </Button>
      <InlineError what="We couldn’t send it" error={error} className="w-full" />
    </>
  );
}
