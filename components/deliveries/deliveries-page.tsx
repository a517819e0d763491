'use client';

import { useCallback, useMemo } from 'react';
import { describeReason, describeStatus } from '@/components/attempts/describe-status';
import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { isRetriable } from '@/components/bulk-retries/describe-bulk-retry';
import { useBulkRetries, useDeliveryCount } from '@/components/bulk-retries/use-bulk-retries';
import { columnsOf } from '@/components/data-table/column-helper';
import { FilteredListPage, useFilteredList } from '@/components/data-table/filtered-list';
import { idFault } from '@/components/data-table/text-filter';
import { useRowSelection } from '@/components/data-table/use-row-selection';
import { TargetUrl } from '@/components/endpoints/target-url';
import { typeFault } from '@/components/events/type-filter';
import { listCurl } from '@/components/keys/samples';
import { useMay, useProjectPath } from '@/components/projects/use-projects';
import { ProviderMark } from '@/components/sources/providers';
import { useSourceNames } from '@/components/sources/use-sources';
import { Button } from '@/components/ui/button';
import { shortId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { TypeName } from '@/components/ui/stat';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Delivery } from '@/lib/delivery/schema';
import { DELIVERY_FILTERS, DeliveryFilters, responseFault } from './delivery-filters';
import { DeliveryBadge } from './delivery-state';
import { RetryMatching, SelectionBar } from './retry-controls';

const deliveryColumns = columnsOf<Delivery>([
  {
    header: 'Event',
    primary: true,
    className: 'min-w-0 max-sm:pr-24 sm:max-w-56',
    cell: (delivery) => <DeliverySubject delivery={delivery} />,
  },
  { header: 'State', unlabelled: true, cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
  {
    header: 'Target',
    unlabelled: true,
    className: 'min-w-0 sm:max-w-44 md:max-w-60',
    cell: ({ targetUrl }) => <TargetUrl url={targetUrl} className="text-muted" />,
  },
  {
    header: 'Attempts',
    className: 'max-sm:hidden',
    cell: ({ attemptCount }) => <span className="tabular-nums">{attemptCount}</span>,
  },
  {
    header: 'Last response',
    className: 'max-sm:hidden sm:max-w-40 xl:max-w-45',
    cell: ({ lastResponseStatus, lastError }) => (
      <span className="block truncate" title={lastError === null ? undefined : describeReason(lastError)}>
        {(lastResponseStatus === null ? lastError : describeStatus(lastResponseStatus)) ?? (
          <span className="text-muted">–</span>
        )}
      </span>
    ),
  },
  {
    header: 'Created',
    align: 'end',
    unlabelled: true,
    className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow className="text-muted" />,
  },
]);

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
        columns={deliveryColumns}
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

/** What a delivery is about: the type of its event, or the source of its incoming event. */
function DeliverySubject({ delivery: { eventType, incomingEventId, sourceId } }: { delivery: Delivery }) {
  const source = useSourceNames().find(sourceId);
  if (incomingEventId === null) return <TypeName>{eventType ?? 'event'}</TypeName>;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <ProviderMark provider={source?.provider ?? 'NONE'} />
      <span className="min-w-0 truncate" title={source?.name}>
        {source?.name ?? 'Incoming event'}
      </span>
      <code className="shrink-0 whitespace-nowrap font-mono text-muted text-xs">{shortId(incomingEventId)}</code>
    </span>
  );
}
