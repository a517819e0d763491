'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/api-fetch';
import { FilterBar } from '@/components/data-table/filter-bar';
import { FilterChip } from '@/components/data-table/filter-chip';
import { IdFilter } from '@/components/data-table/id-filter';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import type { CursorPage } from '@/components/data-table/use-pages';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import { destinationsPath } from '@/components/destinations/use-destinations';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { TypeFilter } from '@/components/events/type-filter';
import { useSourceNames } from '@/components/sources/use-sources';
import { shortId } from '@/components/ui/short-id';
import type { Delivery } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import { ResponseFilter } from './response-filter';
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

interface DeliveryFiltersProps extends UrlFilters<(typeof DELIVERY_FILTERS)[number]> {
  projectId: string;
  /** The loaded deliveries, which tell the URL of the chosen target. */
  deliveries: readonly Delivery[];
}

export function DeliveryFilters({ filters, active, setFilters, clear, projectId, deliveries }: DeliveryFiltersProps) {
  const { choices, load } = useTargetChoices(projectId);
  const target = filters.endpointId ?? filters.destinationId;
  const isListed = target === undefined || choices.some(({ id }) => id === target);
  const shown = deliveries.find(({ endpointId, destinationId }) => target === (endpointId ?? destinationId));
  const choose = (chosen: string | undefined) => {
    const choice = choices.find(({ id }) => id === chosen);
    setFilters({ endpointId: undefined, destinationId: undefined, ...(choice ? { [choice.filter]: chosen } : {}) });
  };

  return (
    <FilterBar active={active} onClear={clear}>
      <TypeFilter projectId={projectId} value={filters.eventType} onChange={(eventType) => setFilters({ eventType })} />
      <StateFilter value={filters.status} onChange={(status) => setFilters({ status })} />
      <ResponseFilter value={filters.responseStatus} onChange={(responseStatus) => setFilters({ responseStatus })} />
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
      <IdFilter label="Delivery or event ID" value={filters.id} onChange={(id) => setFilters({ id })} />
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

/** Returns the targets to choose from: the endpoints and, once `load` was called, the destinations of thirty sources. */
function useTargetChoices(projectId: string): { choices: TargetChoice[]; load: () => void } {
  const [isNeeded, setNeeded] = useState(false);
  const { endpoints = [] } = useEndpointNames(projectId);
  const { sources } = useSourceNames(projectId);
  const sourceIds = sources?.slice(0, MAX_SOURCES).map(({ id }) => id);
  const { data: destinations = [] } = useSWR(
    isNeeded && sourceIds !== undefined ? ['destinations of', projectId, ...sourceIds] : null,
    async ([, project, ...ids]) => {
      const pages = await Promise.all(
        ids.map((id) => fetchFromApi<CursorPage<Destination>>(`${destinationsPath(project, id)}?limit=100`)),
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
