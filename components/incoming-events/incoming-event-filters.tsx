'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { IdFilter } from '@/components/data-table/id-filter';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import type { Source } from '@/lib/incoming/schema';

const SIGNATURES = [
  { value: ANY, label: 'Any signature' },
  { value: 'true', label: 'Verified' },
  { value: 'false', label: 'Unverified' },
  { value: 'none', label: 'Unsigned' },
];

export const INCOMING_EVENT_FILTERS = ['sourceId', 'verified', ...TIME_FILTERS, 'id'] as const;
export type IncomingEventFilterName = (typeof INCOMING_EVENT_FILTERS)[number];

export function IncomingEventFilters({
  filters,
  active,
  setFilters,
  clear,
  sources,
}: UrlFilters<IncomingEventFilterName> & { sources: Source[] }) {
  const known = sources.map(({ id, name }) => ({ value: id, label: name }));
  const gone = filters.sourceId && !sources.some(({ id }) => id === filters.sourceId);
  return (
    <FilterBar active={active} onClear={clear}>
      <SelectFilter
        label="Source"
        width="w-52"
        options={[
          { value: ANY, label: 'Any source' },
          ...known,
          ...(gone ? [{ value: filters.sourceId ?? '', label: `…${filters.sourceId?.slice(-8)}` }] : []),
        ]}
        value={filters.sourceId}
        onChange={(sourceId) => setFilters({ sourceId })}
      />
      <SelectFilter
        label="Signature"
        width="w-40"
        options={SIGNATURES}
        value={filters.verified}
        onChange={(verified) => setFilters({ verified })}
      />
      <TimeFilter label="Received" filters={filters} setFilters={setFilters} />
      <IdFilter label="Incoming event ID" value={filters.id} onChange={(id) => setFilters({ id })} />
    </FilterBar>
  );
}
