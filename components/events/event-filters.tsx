'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TextFilter } from '@/components/data-table/text-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import { WINDOWS } from './time-window';

/** The time windows of a list, as options of a filter. */
export const WINDOW_OPTIONS = [
  { value: ANY, label: 'Any time' },
  ...Object.entries(WINDOWS).map(([value, { label }]) => ({ value, label })),
];

export const EVENT_FILTERS = ['type', 'since'] as const;

export function EventFilters({ filters, active, setFilters, clear }: UrlFilters<(typeof EVENT_FILTERS)[number]>) {
  return (
    <FilterBar active={active} onClear={clear}>
      <TextFilter
        label="Event type"
        placeholder="Exact type, such as order.paid"
        value={filters.type}
        onChange={(type) => setFilters({ type })}
      />
      <SelectFilter
        label="Received"
        width="w-40"
        options={WINDOW_OPTIONS}
        value={filters.since}
        onChange={(since) => setFilters({ since })}
      />
    </FilterBar>
  );
}
