'use client';

import { useState } from 'react';
import { OpenOrganizationContext } from './open-organization';
import { type OrganizationFilters, OrganizationList } from './organization-list';
import { OrganizationView } from './organization-view';

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
