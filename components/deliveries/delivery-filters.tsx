'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { FilterChip } from '@/components/data-table/filter-chip';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import { shortId } from '@/components/ui/short-id';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';

const STATES = [
  { value: ANY, label: 'Any state' },
  { value: 'PENDING', label: 'Pending' },
  { value: 'SUCCEEDED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
];

export const DELIVERY_FILTERS = ['status', 'endpointId', 'destinationId', 'eventId', 'incomingEventId'] as const;

/** Filters that links set and that cannot be chosen from a list. */
const CHIPS = [
  { name: 'eventId', noun: 'Event' },
  { name: 'incomingEventId', noun: 'Incoming event' },
] as const;

export function DeliveryFilters({
  filters,
  active,
  setFilters,
  clear,
  endpoints,
  destinations,
}: UrlFilters<(typeof DELIVERY_FILTERS)[number]> & { endpoints: Endpoint[]; destinations: Destination[] }) {
  const { endpointId, destinationId } = filters;
  const targets = [...endpoints, ...destinations].map(({ id, url }) => ({ value: id, label: url }));
  const target = endpointId ?? destinationId;
  const isGone = target !== undefined && !targets.some(({ value }) => value === target);
  const choose = (id: string | undefined) => {
    const isDestination = destinations.some((destination) => destination.id === id);
    setFilters(
      isDestination ? { endpointId: undefined, destinationId: id } : { endpointId: id, destinationId: undefined },
    );
  };

  return (
    <FilterBar active={active} onClear={clear}>
      <SelectFilter
        label="State"
        width="w-36"
        options={STATES}
        value={filters.status}
        onChange={(status) => setFilters({ status })}
      />
      <SelectFilter
        label="Target"
        width="w-64"
        options={[
          { value: ANY, label: 'Any endpoint or destination' },
          ...targets,
          ...(isGone ? [{ value: target, label: shortId(target) }] : []),
        ]}
        value={target}
        onChange={choose}
      />
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
