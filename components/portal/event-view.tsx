'use client';

import { Inbox } from 'lucide-react';
import { usePages } from '@/components/data-table/use-pages';
import { RoutingBadge } from '@/components/routing/routing-badge';
import { CopyableId } from '@/components/ui/copyable-id';
import { formatAbsolute } from '@/components/ui/format-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Fact } from '@/components/ui/stat';
import type { PortalRoutingItem } from '@/lib/portal/schema';
import { EmptyList, ListFailure, ShowMore } from './list-parts';
import { useRefresh } from './use-portal-data';
import type { Navigation, View } from './use-view';
import { ViewFrame } from './view-frame';

/** One event: to which endpoints it was sent, and to which not and why. */
export function EventView({
  view: { event, from },
  navigation,
}: {
  view: View & { name: 'event' };
  navigation: Navigation;
}) {
  const back =
    from === undefined
      ? { label: 'All events', go: () => navigation.go({ name: 'home', tab: 'events' }) }
      : { label: 'Back to the delivery', go: () => navigation.go({ name: 'delivery', deliveryId: from }) };
  return (
    <ViewFrame title={event.type} back={back} navigation={navigation}>
      <dl className="mt-4 grid gap-2 text-sm">
        <Fact label="Event ID">
          <CopyableId id={event.id} label="Copy the ID of the event" />
        </Fact>
        <Fact label="Happened">{formatAbsolute(new Date(event.createdAt))}</Fact>
      </dl>
      <h2 className="mt-8 mb-3 font-semibold text-lg">Where it went</h2>
      <Routing eventId={event.id} navigation={navigation} />
    </ViewFrame>
  );
}

function Routing({ eventId, navigation }: { eventId: string; navigation: Navigation }) {
  const pages = usePages<PortalRoutingItem>(`/events/${eventId}/routing`);
  useRefresh(pages);
  if (pages.error) return <ListFailure what="where it went" error={pages.error} retry={pages.reload} />;
  if (pages.rows === undefined) return <Skeleton className="h-40 w-full" />;
  if (pages.rows.length === 0) {
    return <EmptyList icon={Inbox} title="No endpoint" text="There was no endpoint that it could be sent to." />;
  }
  return (
    <>
      <ul className="divide-y overflow-hidden rounded-xl border bg-surface shadow-raised">
        {pages.rows.map((item) => (
          <RoutingRow key={item.endpointId} item={item} navigation={navigation} />
        ))}
      </ul>
      <ShowMore pages={pages} />
    </>
  );
}

function RoutingRow({
  item: { url, outcome, reason, deliveryId },
  navigation,
}: {
  item: PortalRoutingItem;
  navigation: Navigation;
}) {
  return (
    <li className="relative grid gap-x-4 gap-y-1.5 px-5 py-3.5 sm:grid-cols-[9rem_minmax(0,1fr)] sm:items-baseline">
      <span>
        <RoutingBadge outcome={outcome} />
      </span>
      <span className="grid min-w-0 gap-0.5">
        {deliveryId === null ? (
          <span className="wrap-anywhere font-medium text-sm">{url}</span>
        ) : (
          <button
            type="button"
            onClick={() => navigation.go({ name: 'delivery', deliveryId })}
            className="wrap-anywhere rounded-sm text-left font-medium text-sm hover:underline"
          >
            {url}
          </button>
        )}
        <span className="wrap-anywhere text-muted text-sm">{reason}</span>
      </span>
    </li>
  );
}
