'use client';

import { useState } from 'react';
import { columnsOf } from '@/components/data-table/column-helper';
import { FilterBar } from '@/components/data-table/filter-bar';
import { PagedTable } from '@/components/data-table/paged-table';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TextFilter } from '@/components/data-table/text-filter';
import { countActive, type Filters } from '@/components/data-table/url-filters';
import { usePages } from '@/components/data-table/use-pages';
import { CopyableId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format-figures';
import { RelativeTime } from '@/components/ui/relative-time';
import type { OrganizationOverview } from '@/lib/admin/schema';
import { OrganizationState, OrganizationView } from './organization-view';

const NO_FILTERS: Filters<'name' | 'deleted'> = { name: undefined, deleted: undefined };

const STATES = [
  { value: ANY, label: 'Any state' },
  { value: 'false', label: 'Active' },
  { value: 'true', label: 'Being deleted' },
];

const NO_MATCHES = { title: 'No matching organizations', sentence: 'No organization matches this name and state.' };

const NO_ORGANIZATIONS = {
  title: 'No organizations yet',
  sentence: 'The first one is created when the first person registers.',
};

const columnsThatOpen = (open: (organizationId: string) => void) =>
  columnsOf<OrganizationOverview>([
    {
      header: 'Organization',
      primary: true,
      cell: ({ id, name }) => (
        <button
          type="button"
          onClick={() => open(id)}
          className="wrap-anywhere min-h-6 rounded-sm text-left font-medium text-accent-text hover:underline"
        >
          {name}
        </button>
      ),
    },
    { header: 'ID', cell: ({ id, name }) => <CopyableId id={id} label={`Copy the ID of ${name}`} short /> },
    { header: 'State', cell: ({ deletedAt }) => <OrganizationState deletedAt={deletedAt} /> },
    { header: 'Members', cell: ({ memberCount }) => formatCount(memberCount) },
    { header: 'Projects', cell: ({ projectCount }) => formatCount(projectCount) },
    { header: 'Created', align: 'end', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ]);

/** All organizations. Details replace the list; going back restores its filters. */
export function OrganizationsPanel() {
  const [filters, setFilters] = useState(NO_FILTERS);
  const [openId, setOpenId] = useState<string | null>(null);
  const pages = usePages<OrganizationOverview>(openId === null ? '/orgs' : null, filters);
  if (openId !== null) return <OrganizationView organizationId={openId} onBack={() => setOpenId(null)} />;
  const active = countActive(filters);
  return (
    <>
      <FilterBar active={active} onClear={() => setFilters(NO_FILTERS)}>
        <TextFilter
          label="Name contains"
          placeholder="Name contains"
          value={filters.name}
          onChange={(name) => setFilters({ ...filters, name })}
        />
        <SelectFilter
          label="State"
          width="w-40"
          options={STATES}
          value={filters.deleted}
          onChange={(deleted) => setFilters({ ...filters, deleted })}
        />
      </FilterBar>
      <PagedTable
        label="Organizations"
        columns={columnsThatOpen(setOpenId)}
        pages={pages}
        getRowId={({ id }) => id}
        empty={<EmptyState {...(active > 0 ? NO_MATCHES : NO_ORGANIZATIONS)} />}
      />
    </>
  );
}
