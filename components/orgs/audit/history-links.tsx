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

interface HistoryTabsProps {
  targetId: string;
  /** The target may change others, which a third tab lists. */
  isActor?: boolean;
  children: ReactNode;
}

/** The page of a resource with its history in a second tab, which the URL names. */
export function HistoryTabs({ targetId, isActor = false, children }: HistoryTabsProps) {
  const { filters, setFilters } = useUrlFilters(TAB);
  const tabs = [
    { value: 'details', label: 'Details', content: children },
    { value: 'history', label: 'History', content: <History of={{ targetId }} /> },
    ...(isActor
      ? [{ value: 'changes', label: 'What it changed', content: <History of={{ actorId: targetId }} /> }]
      : []),
  ];
  return (
    <PageTabs
      label="Sections"
      tabs={tabs}
      value={tabs.find(({ value }) => value === filters.tab)?.value ?? 'details'}
      onChange={(tab) => setFilters({ tab: tab === 'details' ? undefined : tab })}
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
