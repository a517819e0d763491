'use client';

import { X } from 'lucide-react';
import { FilterBar } from '@/components/data-table/filter-bar';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import type { Endpoint } from '@/lib/delivery/schema';

const STATES = [
  { value: ANY, label: 'Any state' },
  { value: 'PENDING', label: 'Pending' },
  { value: 'SUCCEEDED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
];

export interface DeliveryFilterValues {
  status: string | undefined;
  endpointId: string | undefined;
  eventId: string | undefined;
}

export function DeliveryFilters({
  filters,
  active,
  endpoints,
  onChange,
  onClear,
}: {
  filters: DeliveryFilterValues;
  active: boolean;
  endpoints: Endpoint[];
  onChange: (change: Partial<DeliveryFilterValues>) => void;
  onClear: () => void;
}) {
  const known = endpoints.map(({ id, url }) => ({ value: id, label: url }));
  const gone = filters.endpointId && !endpoints.some(({ id }) => id === filters.endpointId);
  return (
    <FilterBar active={active} onClear={onClear}>
      <SelectFilter
        label="State"
        width="w-36"
        options={STATES}
        value={filters.status}
        onChange={(status) => onChange({ status })}
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
        onChange={(endpointId) => onChange({ endpointId })}
      />
      {filters.eventId ? (
        <button
          type="button"
          onClick={() => onChange({ eventId: undefined })}
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
