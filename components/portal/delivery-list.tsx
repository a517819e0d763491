'use client';

import { ChevronRight, Inbox } from 'lucide-react';
import { useId, useState } from 'react';
import { usePages } from '@/components/data-table/use-pages';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { PortalDelivery } from '@/lib/portal/schema';
import { DeliveryBadge } from './delivery-badge';
import { DELIVERY_FILTERS, type DeliveryFilter } from './describe-delivery';
import { explainLastFailure } from './explain-failure';
import { EmptyList, ListFailure, ShowMore } from './list-parts';
import { usePortal } from './use-portal';
import { useRefresh } from './use-portal-data';
import type { Navigation } from './use-view';

const PAGE_ROWS = 20;

/** What was sent, to all endpoints or to one, the newest first. */
export function DeliveryList({ endpointId, navigation }: { endpointId?: string; navigation: Navigation }) {
  const [status, setStatus] = useState<DeliveryFilter>(undefined);
  const pages = usePages<PortalDelivery>('/deliveries', { status, endpointId }, { limit: PAGE_ROWS });
  useRefresh(pages);
  return (
    <>
      <StateFilter status={status} onChange={setStatus} />
      <div className="mt-4" aria-busy={pages.isStale}>
        {pages.error ? (
          <ListFailure what="the deliveries" error={pages.error} retry={pages.reload} />
        ) : pages.rows === undefined ? (
          <Skeleton className="h-40 w-full" />
        ) : pages.rows.length === 0 ? (
          <NoDeliveries status={status} isOfEndpoint={endpointId !== undefined} />
        ) : (
          <>
            <ul className="divide-y overflow-hidden rounded-xl border bg-surface shadow-raised">
              {pages.rows.map((delivery) => (
                <DeliveryItem
                  key={delivery.id}
                  delivery={delivery}
                  showsUrl={endpointId === undefined}
                  open={() =>
                    navigation.go({
                      name: 'delivery',
                      deliveryId: delivery.id,
                      ...(endpointId === undefined ? {} : { from: endpointId }),
                    })
                  }
                />
              ))}
            </ul>
            <ShowMore pages={pages} />
          </>
        )}
      </div>
    </>
  );
}

function DeliveryItem({ delivery, showsUrl, open }: { delivery: PortalDelivery; showsUrl: boolean; open: () => void }) {
  const { eventType, targetUrl, createdAt } = delivery;
  const failure = explainLastFailure(delivery);
  return (
    <li className="relative flex items-center gap-4 px-5 py-3.5 hover:bg-sunken/60">
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 sm:grid-cols-[8rem_minmax(0,1fr)_auto]">
        <span>
          <DeliveryBadge delivery={delivery} />
        </span>
        <span className="grid min-w-0 gap-0.5 max-sm:order-last max-sm:col-span-2">
          <button
            type="button"
            onClick={open}
            className="wrap-anywhere rounded-sm text-left font-medium font-mono text-sm after:absolute after:inset-0"
          >
            {eventType}
          </button>
          {showsUrl ? <span className="wrap-anywhere text-muted text-sm">{targetUrl}</span> : null}
          {failure === null ? null : <span className="wrap-anywhere text-muted text-sm">{failure.what}</span>}
        </span>
        <span className="text-muted text-sm">
          <RelativeTime at={createdAt} inRow />
        </span>
      </div>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </li>
  );
}

function StateFilter({ status, onChange }: { status: DeliveryFilter; onChange: (status: DeliveryFilter) => void }) {
  const name = useId();
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">Show deliveries that are</legend>
      {DELIVERY_FILTERS.map(({ status: each, label }) => (
        <label
          key={label}
          className="relative inline-flex h-8 cursor-pointer select-none items-center rounded-full border px-3.5 text-sm hover:bg-sunken has-checked:border-accent has-checked:bg-accent-subtle has-checked:font-medium has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={name}
            checked={each === status}
            onChange={() => onChange(each)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function NoDeliveries({ status, isOfEndpoint }: { status: DeliveryFilter; isOfEndpoint: boolean }) {
  const { company } = usePortal();
  if (status !== undefined) {
    const word = DELIVERY_FILTERS.find((each) => each.status === status)?.label.toLowerCase();
    return <EmptyList icon={Inbox} title={`No ${word} deliveries`} text="Choose “All” to see the others." />;
  }
  return (
    <EmptyList
      icon={Inbox}
      title="Nothing was sent yet"
      text={`As soon as something happens in ${company}, ${
        isOfEndpoint ? 'what we send to this endpoint' : 'what we send to your endpoints'
      } appears here.`}
    />
  );
}
