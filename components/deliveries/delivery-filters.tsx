'use client';

import { X } from 'lucide-react';
import { FilterBar } from '@/components/data-table/filter-bar';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import type { Endpoint } from '@/lib/delivery/schema';

const STATES = [
  { value: ANY, label: 'Any state' },
  { value: 'PENDING', label: 'Pending' },
  { value: 'SUCCEEDED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
];

export const DELIVERY_FILTERS = ['status', 'endpointId', 'eventId'] as const;

export function DeliveryFilters({
  filters,
  active,
  setFilters,
  clear,
  endpoints,
}: UrlFilters<(typeof DELIVERY_FILTERS)[number]> & { endpoints: Endpoint[] }) {
  const known = endpoints.map(({ id, url }) => ({ value: id, label: url }));
  const gone = filters.endpointId && !endpoints.some(({ id }) => id === filters.endpointId);
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
        label="Endpoint"
        width="w-64"
        options={[
          { value: ANY, label: 'Any endpoint' },
          ...known,
          ...(gone ? [{ value: filters.endpointId ?? '', label: `…${filters.endpointId?.slice(-8)}` }] : []),
        ]}
        value={filters.endpointId}
        onChange={(endpointId) => setFilters({ endpointId })}
      />
      {filters.eventId ? (
        <button
          type="button"
          onClick={() => setFilters({ eventId: undefined })}
          className="inline-flex h-7 items-center gap-1.5 rounded-full bg-accent-subtle px-2.5 font-medium text-accent-text text-xs"
        >
          Event …{filters.eventId.slice(-8)}
          <X aria-hidden="true" className="size-3.5" />
          <span className="sr-only">, remove this filter</span>
        </button>
      ) : null}
    </FilterBar>
  );
}
