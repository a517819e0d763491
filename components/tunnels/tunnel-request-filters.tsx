'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import { WINDOWS } from '@/components/events/time-window';

const METHODS = [
  { value: ANY, label: 'Any method' },
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((value) => ({ value, label: value })),
];
const STATUSES = [
  { value: ANY, label: 'Any status' },
  { value: '2xx', label: '2xx success' },
  { value: '3xx', label: '3xx redirect' },
  { value: '4xx', label: '4xx client error' },
  { value: '5xx', label: '5xx server error' },
  { value: 'none', label: 'No response' },
];
/** The log is kept for seven days. */
const TIMES = [
  { value: ANY, label: 'Any time' },
  ...Object.entries(WINDOWS)
    .filter(([value]) => value === '1h' || value === '24h')
    .map(([value, { label }]) => ({ value, label })),
];

export const TUNNEL_REQUEST_FILTERS = ['method', 'status', 'since'] as const;

export function TunnelRequestFilters({
  filters,
  active,
  setFilters,
  clear,
}: UrlFilters<(typeof TUNNEL_REQUEST_FILTERS)[number]>) {
  return (
    <FilterBar active={active} onClear={clear}>
      <SelectFilter
        label="Method"
        width="w-36"
        options={METHODS}
        value={filters.method}
        onChange={(method) => setFilters({ method })}
      />
      <SelectFilter
        label="Status"
        width="w-44"
        options={STATUSES}
        value={filters.status}
        onChange={(status) => setFilters({ status })}
      />
      <SelectFilter
        label="Received"
        width="w-40"
        options={TIMES}
        value={filters.since}
        onChange={(since) => setFilters({ since })}
      />
    </FilterBar>
  );
}
