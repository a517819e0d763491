'use client';

import { useState } from 'react';
import { DataTable } from '@/components/data-table/data-table';
import { LoadMore } from '@/components/data-table/load-more';
import { usePages } from '@/components/data-table/use-pages';
import { EmptyState } from '@/components/ui/empty-state';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { auditColumns } from './audit-columns';
import { AuditFilters } from './audit-filters';
import { type AuditFilterValues, NO_FILTERS, toQuery } from './audit-query';

/** The audit log of every organization, of deleted ones too. */
export function AuditPanel() {
  const [filters, setFilters] = useState<AuditFilterValues>(NO_FILTERS);
  const query = toQuery(filters);
  const pages = usePages<AuditLogEntry>('/audit-log', query, { pinned: true });
  return (
    <>
      <AuditFilters filters={filters} onChange={setFilters} onReload={() => void pages.reload()} />
      <DataTable
        label="Audit log"
        columns={auditColumns}
        rows={pages.rows}
        getRowId={(entry) => entry.id}
        error={pages.error}
        onRetry={() => void pages.reload()}
        empty={<EmptyState title="No entry matches" sentence="Nothing was recorded with these filters together." />}
        footer={
          <LoadMore
            hasMore={pages.hasMore}
            loading={pages.isLoadingMore}
            error={pages.moreError}
            onLoadMore={pages.loadMore}
          />
        }
      />
    </>
  );
}
