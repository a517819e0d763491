'use client';

import { History as HistoryIcon } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { usePageOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { MenuItem } from '@/components/ui/dropdown-menu';
import { PageTabs } from '@/components/ui/tabs';

const History = dynamic(() => import('./history').then((part) => part.History));

const TAB = ['tab'] as const;

/** The page of a resource with its history in a second tab, which the URL names. */
export function HistoryTabs({ targetId, children }: { targetId: string; children: ReactNode }) {
  const { filters, setFilters } = useUrlFilters(TAB);
  return (
    <PageTabs
      label="Sections"
      tabs={[
        { value: 'details', label: 'Details', content: children },
        { value: 'history', label: 'History', content: <History targetId={targetId} /> },
      ]}
      value={filters.tab === 'history' ? 'history' : 'details'}
      onChange={(tab) => setFilters({ tab: tab === 'history' ? tab : undefined })}
    />
  );
}

/** The item of a row's menu that opens the audit log with the entries about the row. */
export function HistoryItem({ targetId }: { targetId: string }) {
  const organization = usePageOrganization();
  const router = useRouter();
  if (organization === undefined) return null;
  return (
    <MenuItem
      disabledReason={roleDisabledReason(organization.role, 'audit_log.read')}
      onSelect={() => router.push(`/orgs/${organization.id}/audit?targetId=${targetId}`)}
    >
      <HistoryIcon aria-hidden="true" />
      History
    </MenuItem>
  );
}
