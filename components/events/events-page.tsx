'use client';

import { columnsOf } from '@/components/data-table/column-helper';
import { FilterBar } from '@/components/data-table/filter-bar';
import { FilteredListPage, useFilteredList } from '@/components/data-table/filtered-list';
import { FoundText, SearchHint } from '@/components/data-table/search-match';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { addressFault, idFault, TextFilter } from '@/components/data-table/text-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import { DELIVERY_STATE_STYLES } from '@/components/deliveries/delivery-state';
import { StateFilter } from '@/components/deliveries/state-filter';
import { TargetFilter } from '@/components/deliveries/target-filter';
import { curlSample, KEY_VARIABLE } from '@/components/keys/samples';
import { useKeyNames } from '@/components/keys/use-keys';
import { useProjectId } from '@/components/projects/use-projects';
import { KeptNote } from '@/components/retention/retention-notes';
import { Button } from '@/components/ui/button';
import { CopyableId, shortId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { TypeName } from '@/components/ui/stat';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { DELIVERY_STATE_LABELS, DELIVERY_STATES, type DeliveryState } from '@/lib/events/delivery-state-policy';
import type { EventListItem } from '@/lib/events/schema';
import { TypeFilter, typeFault } from './type-filter';

const EVENT_FILTERS = ['q', 'type', 'status', 'endpointId', 'apiKeyId', 'clientAddress', ...TIME_FILTERS] as const;

const COUNTS = {
  QUEUED: 'queued',
  RETRYING: 'retrying',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
} as const satisfies Record<DeliveryState, keyof EventListItem['deliveries']>;

const COLUMNS = columnsOf<EventListItem>([
  {
    header: 'Type',
    primary: true,
    className: 'min-w-0 max-sm:pr-24',
    cell: ({ type, match }) => (
      <div className="min-w-0">
        <TypeName>{type}</TypeName>
        <FoundText match={match} />
      </div>
    ),
  },
  { header: 'Deliveries', unlabelled: true, cell: (event) => <DeliveryCounts {...event} /> },
  {
    header: 'ID',
    className: 'max-sm:hidden',
    cell: ({ id }) => <CopyableId id={id} label="Copy event ID" short className="relative z-10 text-muted" />,
  },
  {
    header: 'Sent from',
    className: 'max-sm:hidden',
    cell: ({ clientAddress }) => <span className="font-mono text-muted text-xs">{clientAddress}</span>,
  },
  {
    header: 'Received',
    align: 'end',
    unlabelled: true,
    className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow className="text-muted" />,
  },
]);

const NOUN = ['event', 'events'] as const;
const OPTIONS = {
  kinds: ['events', 'deliveries'],
  faults: { type: typeFault, endpointId: idFault, apiKeyId: idFault, clientAddress: addressFault },
} as const;

/** The events of a project, newest first. */
export function EventsPage() {
  const list = useFilteredList<EventListItem, (typeof EVENT_FILTERS)[number]>('events', EVENT_FILTERS, OPTIONS);
  const { filters, active, setFilters, clear, bind, period } = list;
  const projectId = useProjectId();
  const baseUrl = useBaseUrl();
  const { rows: keys = [], find: findKey } = useKeyNames();
  const { endpointId, apiKeyId } = filters;
  const isKeyListed = apiKeyId === undefined || findKey(apiKeyId) !== undefined;
  return (
    <FilteredListPage
      list={list}
      title="Events"
      description="Events your servers sent, and the state of their deliveries."
      columns={COLUMNS}
      noun={NOUN}
      noMatch={
        <>
          No event matches all of these filters.{' '}
          {filters.type === undefined ? null : (
            <>
              For all types below a prefix, use <code>order.*</code>.{' '}
            </>
          )}
          {filters.q === undefined ? null : <SearchHint noun="data" />}
          <KeptNote data="events" from={period.from} />
        </>
      }
      empty={
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
      }
    >
      <FilterBar active={active} onClear={clear}>
        <TextFilter
          label="Search events"
          placeholder="ID, key, address, or text in data"
          width="sm:w-72"
          {...bind('q')}
        />
        <TypeFilter {...bind('type')} />
        <StateFilter label="Delivery state" {...bind('status')} />
        <TargetFilter
          label="Endpoint"
          isEndpoint
          chosen={{ endpointId, destinationId: undefined }}
          onChange={(chosen) => setFilters({ endpointId: chosen.endpointId })}
        />
        <SelectFilter
          label="API key"
          width="w-32"
          options={[
            { value: ANY, label: 'Any key' },
            ...keys.map(({ id, name }) => ({ value: id, label: name })),
            ...(isKeyListed ? [] : [{ value: apiKeyId, label: `Key ${shortId(apiKeyId)}` }]),
          ]}
          {...bind('apiKeyId')}
        />
        <TextFilter
          label="Sent from"
          placeholder="Sender’s address"
          width="sm:w-44"
          isSearch={false}
          faultOf={addressFault}
          {...bind('clientAddress')}
        />
        <TimeFilter label="Received" filters={filters} setFilters={setFilters} />
      </FilterBar>
    </FilteredListPage>
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
