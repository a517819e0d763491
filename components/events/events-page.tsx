'use client';

import { useMemo } from 'react';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { DownloadMenu } from '@/components/data-table/download-menu';
import { FilterBar } from '@/components/data-table/filter-bar';
import { IdFilter, idFault } from '@/components/data-table/id-filter';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/no-matches';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import { dropFaulty } from '@/components/data-table/url-filters';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { type UrlFilters, useUrlFilters } from '@/components/data-table/use-url-filters';
import { DELIVERY_STATE_STYLES } from '@/components/deliveries/delivery-state-style';
import { StateFilter } from '@/components/deliveries/state-filter';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { curlSample, KEY_VARIABLE } from '@/components/keys/samples';
import { LiveMark } from '@/components/live/live-mark';
import { KeptNote } from '@/components/retention/kept-note';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { shortId } from '@/components/ui/short-id';
import { TypeName } from '@/components/ui/type-name';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { DELIVERY_STATE_LABELS, DELIVERY_STATES, type DeliveryState } from '@/lib/events/delivery-state-policy';
import type { EventListItem } from '@/lib/events/schema';
import { typeFault } from './suggest-types';
import { periodOf } from './time-window';
import { TypeFilter } from './type-filter';
import { eventsPath } from './use-events';

const EVENT_FILTERS = ['type', 'status', 'endpointId', ...TIME_FILTERS, 'id'] as const;

interface EventFiltersProps extends UrlFilters<(typeof EVENT_FILTERS)[number]> {
  projectId: string;
}

const COUNTS = {
  QUEUED: 'queued',
  RETRYING: 'retrying',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
} as const satisfies Record<DeliveryState, keyof EventListItem['deliveries']>;

const column = columnHelperFor<EventListItem>();

const eventColumns = column.columns([
  column.accessor('type', {
    header: 'Type',
    meta: { primary: true },
    cell: ({ row }) => <TypeName>{row.original.type}</TypeName>,
  }),
  column.accessor('deliveries', {
    header: 'Deliveries',
    meta: { unlabelled: true },
    cell: ({ row }) => <DeliveryCounts {...row.original} />,
  }),
  column.accessor('id', {
    header: 'ID',
    meta: { className: 'max-sm:hidden' },
    cell: ({ row }) => (
      <CopyableId id={row.original.id} label="Copy event ID" short className="relative z-10 text-muted" />
    ),
  }),
  column.accessor('createdAt', {
    header: 'Received',
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow className="text-muted" />,
  }),
]);

const NOUN = ['event', 'events'] as const;
const KINDS = ['events', 'deliveries'] as const;
const POLL_MS = 3000;

/** The events of a project, newest first. */
export function EventsPage({ projectId }: { projectId: string }) {
  const filtering = useUrlFilters(EVENT_FILTERS);
  const { type, status, endpointId, since, from: start, to: end, id } = filtering.filters;
  // Fixed until the filter changes: a start that moves with the clock would be a new list every second.
  const period = useMemo(() => periodOf({ since, from: start, to: end }, new Date()), [since, start, end]);
  const query = dropFaulty(
    { type, status, endpointId, id, ...period },
    { type: typeFault, id: idFault, endpointId: idFault },
  );
  const events = useLivePages<EventListItem>(eventsPath(projectId), query, {
    ...{ projectId, kinds: KINDS, pollMs: POLL_MS },
  });
  return (
    <>
      <PageHeader
        title="Events"
        description="Events your servers sent, and the state of their deliveries."
        actions={
          <>
            <LiveMark status={events.status} />
            <DownloadMenu path={eventsPath(projectId)} query={query} />
          </>
        }
      />
      <EventFilters {...filtering} projectId={projectId} />
      <LiveTable
        label="Events"
        columns={eventColumns}
        pages={events}
        noun={NOUN}
        rowHref={(event) => `/projects/${projectId}/events/${event.id}`}
        empty={
          filtering.active ? (
            <NoMatches
              title="No matching events"
              sentence={
                <>
                  No event matches all of these filters. For all types below a prefix, use <code>order.*</code>.{' '}
                  <KeptNote projectId={projectId} data="events" from={period.from} />
                </>
              }
              onClear={filtering.clear}
            />
          ) : (
            <NoEvents projectId={projectId} />
          )
        }
      />
    </>
  );
}

function NoEvents({ projectId }: { projectId: string }) {
  const baseUrl = useBaseUrl();
  return (
    <EmptyState
      title="No events yet"
      sentence="Events appear here when your servers send them with an API key."
      action={
        <Button asChild variant="primary">
          <Link href={`/?project=${projectId}`}>Continue setup</Link>
        </Button>
      }
      code={{ label: 'Send an event', code: curlSample(baseUrl, KEY_VARIABLE) }}
    />
  );
}

/** Counts the deliveries of an event by state. It is queued until they are made. */
function DeliveryCounts({ deliveries, fanOutStatus }: Pick<EventListItem, 'deliveries' | 'fanOutStatus'>) {
  const present = DELIVERY_STATES.filter((state) => deliveries[COUNTS[state]] > 0);
  if (present.length === 0) return <NoDeliveries fanOutStatus={fanOutStatus} />;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {present.map((state) => {
        const { icon: Icon, text } = DELIVERY_STATE_STYLES[state];
        return (
          <span key={state} className="inline-flex items-center gap-1 whitespace-nowrap">
            <Icon aria-hidden="true" className={`size-3.5 ${text}`} />
            {deliveries[COUNTS[state]]} {DELIVERY_STATE_LABELS[state].toLowerCase()}
          </span>
        );
      })}
    </span>
  );
}

function NoDeliveries({ fanOutStatus }: Pick<EventListItem, 'fanOutStatus'>) {
  if (fanOutStatus === 'COMPLETED') return <span className="text-muted">No matching endpoint</span>;
  const state = fanOutStatus === 'PENDING' ? 'QUEUED' : 'FAILED';
  const { icon: Icon, text } = DELIVERY_STATE_STYLES[state];
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <Icon aria-hidden="true" className={`size-3.5 ${text}`} />
      {DELIVERY_STATE_LABELS[state]}
    </span>
  );
}

function EventFilters({ filters, active, setFilters, clear, projectId }: EventFiltersProps) {
  const { endpoints = [] } = useEndpointNames(projectId);
  const { endpointId } = filters;
  const isListed = endpointId === undefined || endpoints.some(({ id }) => id === endpointId);
  return (
    <FilterBar active={active} onClear={clear}>
      <TypeFilter projectId={projectId} value={filters.type} onChange={(type) => setFilters({ type })} />
      <StateFilter label="Delivery state" value={filters.status} onChange={(status) => setFilters({ status })} />
      <SelectFilter
        label="Endpoint"
        width="w-52"
        options={[
          { value: ANY, label: 'Any endpoint' },
          ...endpoints.map(({ id, url }) => ({ value: id, label: url })),
          ...(isListed ? [] : [{ value: endpointId, label: `Endpoint ${shortId(endpointId)}` }]),
        ]}
        value={endpointId}
        onChange={(chosen) => setFilters({ endpointId: chosen })}
      />
      <TimeFilter label="Received" filters={filters} setFilters={setFilters} />
      <IdFilter label="Event ID" value={filters.id} onChange={(id) => setFilters({ id })} />
    </FilterBar>
  );
}
