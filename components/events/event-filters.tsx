'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { TextFilter } from '@/components/data-table/text-filter';
import { Select } from '@/components/ui/select';
import { WINDOWS } from './time-window';

const ANY = 'any';
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
      <Select
        aria-label="Received"
        className="w-40 max-sm:w-full"
        options={OPTIONS}
        value={filters.since ?? ANY}
        onValueChange={(since) => onChange({ since: since === ANY ? undefined : since })}
      />
    </FilterBar>
  );
}
