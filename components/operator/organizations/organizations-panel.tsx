'use client';

import { useState } from 'react';
import { FilterBar } from '@/components/data-table/filter-bar';
import { PagedTable } from '@/components/data-table/paged-table';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TextFilter } from '@/components/data-table/text-filter';
import { countActive } from '@/components/data-table/url-filters';
import { usePages } from '@/components/data-table/use-pages';
import { EmptyState } from '@/components/ui/empty-state';
import type { OrganizationOverview } from '@/lib/admin/schema';
import { OpenOrganizationContext } from './open-organization';
import { organizationColumns } from './organization-columns';
import { OrganizationView } from './organization-view';

interface OrganizationFilters {
  name: string | undefined;
  deleted: string | undefined;
}

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

/** All organizations. Details replace the list; going back restores its filters. */
export function OrganizationsPanel() {
  const [filters, setFilters] = useState<OrganizationFilters>({ name: undefined, deleted: undefined });
  const [openId, setOpenId] = useState<string | null>(null);
  if (openId !== null) return <OrganizationView organizationId={openId} onBack={() => setOpenId(null)} />;
  return (
    <OpenOrganizationContext value={setOpenId}>
      <OrganizationList filters={filters} onChange={setFilters} />
    </OpenOrganizationContext>
  );
}

function OrganizationList({
  filters,
  onChange,
}: {
  filters: OrganizationFilters;
  onChange: (filters: OrganizationFilters) => void;
}) {
  const pages = usePages<OrganizationOverview>('/orgs', { ...filters });
  const active = countActive({ ...filters });
  return (
    <>
      <FilterBar active={active} onClear={() => onChange({ name: undefined, deleted: undefined })}>
        <TextFilter
          label="Name contains"
          placeholder="Name contains"
          value={filters.name}
          onChange={(name) => onChange({ ...filters, name })}
        />
        <SelectFilter
          label="State"
          width="w-40"
          options={STATES}
          value={filters.deleted}
          onChange={(deleted) => onChange({ ...filters, deleted })}
        />
      </FilterBar>
      <PagedTable
        label="Organizations"
        columns={organizationColumns}
        pages={pages}
        getRowId={(organization) => organization.id}
        empty={active > 0 ? <EmptyState {...NO_MATCHES} /> : <EmptyState {...NO_ORGANIZATIONS} />}
      />
    </>
  );
}
