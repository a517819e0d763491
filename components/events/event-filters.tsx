'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { IdFilter } from '@/components/data-table/id-filter';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import { StateFilter } from '@/components/deliveries/state-filter';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { shortId } from '@/components/ui/short-id';
import { TypeFilter } from './type-filter';

export const EVENT_FILTERS = ['type', 'status', 'endpointId', ...TIME_FILTERS, 'id'] as const;

interface EventFiltersProps extends UrlFilters<(typeof EVENT_FILTERS)[number]> {
  projectId: string;
}

export function EventFilters({ filters, active, setFilters, clear, projectId }: EventFiltersProps) {
  const { endpoints = [] } = useEndpointNames(projectId);
  const { endpointId } = filters;
  const isListed = endpointId === undefined || endpoints.some(({ id }) => id === endpointId);
  return (
    <FilterBar active={active} onClear={clear}>
      <TypeFilter projectId={projectId} value={filters.type} onChange={(type) => setFilters({ type })} />
      <StateFilter label="Delivery state" value={filters.status} onChange={(status) => setFilters({ status })} />
      <SelectFilter
        label="Endpoint"
        width="w-52"
        options={[
          { value: ANY, label: 'Any endpoint' },
          ...endpoints.map(({ id, url }) => ({ value: id, label: url })),
          ...(isListed ? [] : [{ value: endpointId, label: `Endpoint ${shortId(endpointId)}` }]),
        ]}
        value={endpointId}
        onChange={(chosen) => setFilters({ endpointId: chosen })}
      />
      <TimeFilter label="Received" filters={filters} setFilters={setFilters} />
      <IdFilter label="Event ID" value={filters.id} onChange={(id) => setFilters({ id })} />
    </FilterBar>
  );
}
