'use client';

import { ChevronRight, Inbox } from 'lucide-react';
import { usePages } from '@/components/data-table/use-pages';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { PortalEvent } from '@/lib/portal/schema';
import { EmptyList, ListFailure, ShowMore } from './list-parts';
import { usePortal } from './use-portal';
import { useRefresh } from './use-portal-data';
import type { Navigation } from './use-view';

const PAGE_ROWS = 20;

/** What happened, whether or not it was sent to an endpoint, the newest first. */
export function EventList({ navigation }: { navigation: Navigation }) {
  const { company } = usePortal();
  const pages = usePages<PortalEvent>('/events', {}, { limit: PAGE_ROWS });
  useRefresh(pages);
  if (pages.error) return <ListFailure what="the events" error={pages.error} retry={pages.reload} />;
  if (pages.rows === undefined) return <Skeleton className="h-40 w-full" />;
  if (pages.rows.length === 0) {
    return <EmptyList icon={Inbox} title="No events yet" text={`What happens in ${company} appears here.`} />;
  }
  return (
    <>
      <p className="text-muted text-sm">
        Everything that happened, also what was sent to no endpoint. Open an event to see why.
      </p>
      <ul className="mt-4 divide-y overflow-hidden rounded-xl border bg-surface shadow-raised">
        {pages.rows.map((event) => (
          <EventItem key={event.id} event={event} open={() => navigation.go({ name: 'event', event })} />
        ))}
      </ul>
      <ShowMore pages={pages} />
    </>
  );
}

function EventItem({ event: { type, createdAt, deliveryCount }, open }: { event: PortalEvent; open: () => void }) {
  return (
    <li className="relative flex items-center gap-4 px-5 py-3.5 hover:bg-sunken/60">
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-0.5">
        <span className="grid min-w-0 gap-0.5">
          <button
            type="button"
            onClick={open}
            className="wrap-anywhere rounded-sm text-left font-medium font-mono text-sm after:absolute after:inset-0"
          >
            {type}
          </button>
          <span className="text-muted text-sm">{describeCount(deliveryCount)}</span>
        </span>
        <span className="text-muted text-sm">
          <RelativeTime at={createdAt} inRow />
        </span>
      </div>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </li>
  );
}

function describeCount(count: number): string {
  if (count === 0) return 'Sent to no endpoint';
  return count === 1 ? 'Sent to 1 endpoint' : `Sent to ${count} endpoints`;
}
