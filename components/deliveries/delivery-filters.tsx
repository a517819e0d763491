'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { FilterChip } from '@/components/data-table/filter-chip';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import { shortId } from '@/components/ui/short-id';
import type { Delivery } from '@/lib/delivery/schema';
import { useTargetChoices } from './use-target-choices';

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
          ...choices.map(({ id, url }) => ({ value: id, label: url })),
          ...(isListed ? [] : [{ value: target, label: shown?.targetUrl ?? shortId(target) }]),
        ]}
        value={target}
        onChange={choose}
        onOpen={load}
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
