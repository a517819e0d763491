'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/api-fetch';
import { FilterBar, FilterChip } from '@/components/data-table/filter-bar';
import type { useFilteredList } from '@/components/data-table/filtered-list';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { SuggestFilter } from '@/components/data-table/suggest-filter';
import { IdFilter } from '@/components/data-table/text-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { TypeFilter } from '@/components/events/type-filter';
import { useProjectPath } from '@/components/projects/use-projects';
import { useSourceNames } from '@/components/sources/use-sources';
import { shortId } from '@/components/ui/copyable-id';
import { RESPONSE_FILTER } from '@/lib/delivery/response-filter-policy';
import type { Delivery } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import { StateFilter } from './state-filter';

/** The API lists the destinations of one source, so each source costs a request. */
const MAX_SOURCES = 30;

const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false };

/** A target to filter deliveries by. */
interface TargetChoice {
  filter: 'endpointId' | 'destinationId';
  id: string;
  url: string;
}

export const DELIVERY_FILTERS = [
  'eventType',
  'status',
  'responseStatus',
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
  const { choices, load } = useTargetChoices();
  const target = filters.endpointId ?? filters.destinationId;
  const isListed = target === undefined || choices.some(({ id }) => id === target);
  // The loaded deliveries tell the URL of the chosen target.
  const shown = pages.rows?.find(({ endpointId, destinationId }) => target === (endpointId ?? destinationId));
  const choose = (chosen: string | undefined) => {
    const choice = choices.find(({ id }) => id === chosen);
    setFilters({ endpointId: undefined, destinationId: undefined, ...(choice ? { [choice.filter]: chosen } : {}) });
  };
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
      <SelectFilter
        label="Target"
        width="w-40"
        options={[
          { value: ANY, label: 'Any target' },
          ...choices.map(({ id, url }) => ({ value: id, label: url })),
          ...(isListed ? [] : [{ value: target, label: shown?.targetUrl ?? shortId(target) }]),
        ]}
        value={target}
        onChange={choose}
        onOpen={load}
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

/** Returns the targets to choose from: the endpoints and, once `load` was called, the destinations of thirty sources. */
function useTargetChoices(): { choices: TargetChoice[]; load: () => void } {
  const [isNeeded, setNeeded] = useState(false);
  const sourcesPath = useProjectPath('sources');
  const { rows: endpoints = [] } = useEndpointNames();
  const { rows: sources } = useSourceNames();
  const sourceIds = sources?.slice(0, MAX_SOURCES).map(({ id }) => id);
  const { data: destinations = [] } = useSWR(
    isNeeded && sourceIds !== undefined ? ['destinations of', sourcesPath, ...sourceIds] : null,
    async ([, path, ...ids]) => {
      const pages = await Promise.all(
        ids.map((id) => fetchFromApi<CursorPage<Destination>>(`${path}/${id}/destinations?limit=100`)),
      );
      return pages.flatMap((page) => page.data);
    },
    CACHED,
  );
  return {
    choices: [
      ...endpoints.map(({ id, url }) => ({ filter: 'endpointId' as const, id, url })),
      ...destinations.map(({ id, url }) => ({ filter: 'destinationId' as const, id, url })),
    ],
    load: () => setNeeded(true),
  };
}
