'use client';

import { ChevronRight, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Pages } from '@/components/data-table/use-pages';
import { StatusDot } from '@/components/ui/badge';
import { useNow } from '@/components/ui/clock';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { PortalEndpointListItem } from '@/lib/portal/schema';
import { describeEventTypes, describeHealth } from './describe-endpoint';
import { EmptyList, ListFailure, ShowMore } from './list-parts';
import { usePortal } from './use-portal';
import type { Navigation } from './use-view';

/** The customer's endpoints, and how each fares. */
export function EndpointList({
  pages,
  add,
  navigation,
}: {
  pages: Pages<PortalEndpointListItem>;
  /** The button that adds one; undefined where nothing may be changed. */
  add: ReactNode;
  navigation: Navigation;
}) {
  const { company } = usePortal();
  if (pages.error) return <ListFailure what="the endpoints" error={pages.error} retry={pages.reload} />;
  if (pages.rows === undefined) return <Skeleton className="h-24 w-full" />;
  if (pages.rows.length === 0) {
    return (
      <EmptyList
        icon={Webhook}
        title="No endpoints yet"
        text={`An endpoint is a URL of your software that gets events of ${company}. You need one to get webhooks.`}
        action={add}
      />
    );
  }
  return (
    <>
      <ul className="divide-y overflow-hidden rounded-xl border bg-surface shadow-raised">
        {pages.rows.map((endpoint) => (
          <EndpointItem
            key={endpoint.id}
            endpoint={endpoint}
            open={() => navigation.go({ name: 'endpoint', endpointId: endpoint.id, tab: 'deliveries' })}
          />
        ))}
      </ul>
      <ShowMore pages={pages} />
    </>
  );
}

function EndpointItem({ endpoint, open }: { endpoint: PortalEndpointListItem; open: () => void }) {
  const { url, description, lastDeliveryAt } = endpoint;
  const { tone, word, sentence } = describeHealth(endpoint, useNow(10_000));
  return (
    <li className="relative flex items-center gap-4 px-5 py-4 hover:bg-sunken/60">
      <div className="grid min-w-0 flex-1 gap-1">
        <button
          type="button"
          onClick={open}
          className="wrap-anywhere rounded-sm text-left font-medium after:absolute after:inset-0"
        >
          {url}
        </button>
        {description === null ? null : <p className="wrap-anywhere text-sm">{description}</p>}
        <p className="wrap-anywhere text-muted text-sm">{describeEventTypes(endpoint)}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm">
          <StatusDot tone={tone} />
          <span className="font-medium">{word}</span>
          {sentence === null ? null : <span className="text-muted">{sentence}</span>}
          {sentence !== null || lastDeliveryAt === null ? null : (
            <span className="text-muted">
              Last event <RelativeTime at={lastDeliveryAt} inRow />
            </span>
          )}
        </p>
      </div>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </li>
  );
}
