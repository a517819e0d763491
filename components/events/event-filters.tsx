'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TextFilter } from '@/components/data-table/text-filter';
import { WINDOWS } from './time-window';

const OPTIONS = [
  { value: ANY, label: 'Any time' },
  ...Object.entries(WINDOWS).map(([value, { label }]) => ({ value, label })),
];

export function EventFilters({
  filters,
  active,
  onChange,
  onClear,
}: {
  filters: { type: string | undefined; since: string | undefined };
  active: boolean;
  onChange: (change: { type?: string | undefined; since?: string | undefined }) => void;
  onClear: () => void;
}) {
  return (
    <FilterBar active={active} onClear={onClear}>
      <TextFilter
        label="Event type"
        placeholder="Exact type, such as order.paid"
        value={filters.type}
        onChange={(type) => onChange({ type })}
      />
      <SelectFilter
        label="Received"
        width="w-40"
        options={OPTIONS}
        value={filters.since}
        onChange={(since) => onChange({ since })}
      />
    </FilterBar>
  );
}
