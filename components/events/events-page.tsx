'use client';

import { CustomerFilter } from '@/components/customers/customer-filter';
import { FilterBar } from '@/components/data-table/filter-bar';
import { FilteredListPage, useFilteredList } from '@/components/data-table/filtered-list';
import { SearchHint } from '@/components/data-table/search-match';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { addressFault, idFault, TextFilter } from '@/components/data-table/text-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import { StateFilter } from '@/components/deliveries/state-filter';
import { TargetFilter } from '@/components/deliveries/target-filter';
import { curlSample, KEY_VARIABLE } from '@/components/keys/samples';
import { useKeyNames } from '@/components/keys/use-keys';
import { useProjectId } from '@/components/projects/use-projects';
import { KeptNote } from '@/components/retention/retention-notes';
import { Button } from '@/components/ui/button';
import { shortId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { EventListItem } from '@/lib/events/schema';
import { EVENT_COLUMNS } from './event-columns';
import { TypeFilter, typeFault } from './type-filter';

const EVENT_FILTERS = [
  'q',
  'type',
  'status',
  'customer',
  'endpointId',
  'apiKeyId',
  'clientAddress',
  ...TIME_FILTERS,
] as const;

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
      columns={EVENT_COLUMNS}
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
        <CustomerFilter {...bind('customer')} />
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
