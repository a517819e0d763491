'use client';

import { useCallback, useMemo } from 'react';
import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { isRetriable } from '@/components/bulk-retries/describe-bulk-retry';
import { useBulkRetries, useDeliveryCount } from '@/components/bulk-retries/use-bulk-retries';
import { FilteredListPage, useFilteredList } from '@/components/data-table/filtered-list';
import { idFault } from '@/components/data-table/text-filter';
import { useRowSelection } from '@/components/data-table/use-row-selection';
import { typeFault } from '@/components/events/type-filter';
import { listCurl } from '@/components/keys/samples';
import { useMay, useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { shortId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Delivery } from '@/lib/delivery/schema';
import { DELIVERY_COLUMNS } from './delivery-columns';
import { DELIVERY_FILTERS, DeliveryFilters, responseFault } from './delivery-filters';
import { RetryMatching, SelectionBar } from './retry-controls';

const NOUN = ['delivery', 'deliveries'] as const;
const OPTIONS = {
  kinds: ['deliveries'],
  faults: {
    eventType: typeFault,
    responseStatus: responseFault,
    id: idFault,
    endpointId: idFault,
    destinationId: idFault,
    eventId: idFault,
    incomingEventId: idFault,
  },
} as const;

/** The deliveries of a project, newest first. */
export function DeliveriesPage() {
  const list = useFilteredList<Delivery, (typeof DELIVERY_FILTERS)[number]>('deliveries', DELIVERY_FILTERS, OPTIONS);
  const { path, query, pages } = list;
  const baseUrl = useBaseUrl();
  const subscriptions = useProjectPath('subscriptions');
  const mayRetry = useMay('delivery.retry');
  const ids = useMemo(() => (pages.rows ?? []).map(({ id }) => id), [pages.rows]);
  const selection = useRowSelection(ids, JSON.stringify(query));
  const { count, recount } = useDeliveryCount(mayRetry && isRetriable(query.status) ? query : null);
  const { start } = useBulkRetries();
  const { reload } = pages;
  const refresh = useCallback(() => void Promise.all([reload(), recount()]), [reload, recount]);
  return (
    <>
      <FilteredListPage
        list={list}
        title="Deliveries"
        description="One delivery for each event and subscribed endpoint, and for each incoming event and destination."
        actions={<RetryMatching query={query} count={count} start={start} />}
        notice={<CurrentBulkRetries onEnded={refresh} />}
        columns={DELIVERY_COLUMNS}
        noun={NOUN}
        selection={mayRetry ? { ...selection, nameOf: selectLabel } : undefined}
        noMatch="No delivery matches all of these filters."
        empty={
          <EmptyState
            title="No deliveries yet"
            sentence="Each event creates a delivery for every endpoint with a matching subscription."
            action={
              <Button asChild variant="primary">
                <Link href={subscriptions}>View subscriptions</Link>
              </Button>
            }
            code={{ label: 'List deliveries with the API', code: listCurl(baseUrl, path) }}
          />
        }
      >
        <DeliveryFilters list={list} />
      </FilteredListPage>
      {mayRetry ? <SelectionBar selection={selection} query={query} count={count} start={start} /> : null}
    </>
  );
}

function selectLabel({ id, eventType, targetUrl }: Delivery): string {
  return `Select the delivery of ${eventType ?? 'the incoming event'} to ${targetUrl}, ${shortId(id)}`;
}
