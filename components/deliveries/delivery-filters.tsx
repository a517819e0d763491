'use client';

import { CustomerFilter } from '@/components/customers/customer-filter';
import { FilterBar, FilterChip } from '@/components/data-table/filter-bar';
import type { useFilteredList } from '@/components/data-table/filtered-list';
import { SuggestFilter } from '@/components/data-table/suggest-filter';
import { IdFilter } from '@/components/data-table/text-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import { TypeFilter } from '@/components/events/type-filter';
import { shortId } from '@/components/ui/copyable-id';
import { RESPONSE_FILTER } from '@/lib/delivery/response-filter-policy';
import type { Delivery } from '@/lib/delivery/schema';
import { StateFilter } from './state-filter';
import { TargetFilter } from './target-filter';

export const DELIVERY_FILTERS = [
  'eventType',
  'status',
  'responseStatus',
  'customer',
  'endpointId',
  'destinationId',
  'eventId',
  'incomingEventId',
  ...TIME_FILTERS,
  'id',
] as const;

/** Filters that links set and that cannot be chosen from a list. */
const CHIPS = [
  { name: 'eventId', noun: 'Event' },
  { name: 'incomingEventId', noun: 'Incoming event' },
] as const;

type DeliveryList = ReturnType<typeof useFilteredList<Delivery, (typeof DELIVERY_FILTERS)[number]>>;

export function DeliveryFilters({ list }: { list: DeliveryList }) {
  const { filters, active, setFilters, clear, bind, pages } = list;
  const target = filters.endpointId ?? filters.destinationId;
  // The loaded deliveries tell the URL of a target that was deleted.
  const shown = pages.rows?.find(({ endpointId, destinationId }) => target === (endpointId ?? destinationId));
  return (
    <FilterBar active={active} onClear={clear}>
      <TypeFilter {...bind('eventType')} />
      <StateFilter label="State" {...bind('status')} />
      <SuggestFilter
        label="Response"
        placeholder="503 or 5xx"
        suggest={(typed) => RESPONSES.filter((each) => each.value.startsWith(typed) && each.value !== typed)}
        faultOf={responseFault}
        width="sm:w-32"
        {...bind('responseStatus')}
      />
      <CustomerFilter {...bind('customer')} />
      <TargetFilter
        chosen={{ endpointId: filters.endpointId, destinationId: filters.destinationId }}
        knownUrl={shown?.targetUrl}
        onChange={setFilters}
      />
      <TimeFilter label="Time of the event" filters={filters} setFilters={setFilters} />
      <IdFilter label="Delivery or event ID" {...bind('id')} />
      {CHIPS.map(({ name, noun }) => {
        const id = filters[name];
        return id === undefined ? null : (
          <FilterChip key={name} onRemove={() => setFilters({ [name]: undefined })}>
            {noun} {shortId(id)}
          </FilterChip>
        );
      })}
    </FilterBar>
  );
}

const RESPONSES = [
  { value: '2xx', hint: 'success' },
  { value: '3xx', hint: 'redirect' },
  { value: '4xx', hint: 'refused' },
  { value: '5xx', hint: 'server error' },
  { value: '429', hint: 'too many requests' },
  { value: 'none', hint: 'no response' },
];

/** Returns what is wrong with a filter by response; undefined when nothing is. */
export function responseFault(typed: string): string | undefined {
  return RESPONSE_FILTER.test(typed) ? undefined : 'Enter a status code such as 503, a class such as 5xx, or none.';
}
