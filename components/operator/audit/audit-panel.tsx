'use client';

import { useState } from 'react';
import { PagedTable } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { EmptyState } from '@/components/ui/empty-state';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { auditColumns } from './audit-columns';
import { AuditFilters } from './audit-filters';
import { type AuditFilterValues, NO_FILTERS, toQuery } from './audit-query';

/** The audit log of all organizations, including deleted ones. */
export function AuditPanel() {
  const [filters, setFilters] = useState<AuditFilterValues>(NO_FILTERS);
  const query = toQuery(filters);
  const pages = usePages<AuditLogEntry>('/audit-log', query, { pinned: true });
  return (
    <>
      <AuditFilters filters={filters} onChange={setFilters} onReload={() => void pages.reload()} />
      <PagedTable
        label="Audit log"
        columns={auditColumns}
        pages={pages}
        getRowId={(entry) => entry.id}
        empty={<EmptyState title="No matching entries" sentence="No entry matches all of these filters." />}
      />
    </>
  );
}
