'use client';

import { useState } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { AuditPanel } from './audit/audit-panel';
import { OrganizationsPanel } from './organizations/organizations-panel';
import { RetentionPanel } from './retention-panel';
import { StatsPanel } from './stats-panel';
import { UsersPanel } from './users/users-panel';

const SECTIONS = [
  { value: 'stats', label: 'Statistics' },
  { value: 'users', label: 'Users' },
  { value: 'organizations', label: 'Organizations' },
  { value: 'audit', label: 'Audit log' },
  { value: 'retention', label: 'Retention' },
] as const;

/** As the tabs of the account, which are links. */
const TAB =
  'h-auto rounded-none border-b-2 border-transparent px-0.5 pt-1 pb-2.5 text-sm -outline-offset-2 data-[state=active]:border-accent data-[state=active]:bg-transparent';

/** The tabs of the operator page. The open tab is not in the URL, since searches contain personal data. */
export function OperatorTabs() {
  const [tab, setTab] = useState('stats');
  return (
    <>
      <PageHeader title="Operator" description="All organizations and users of this deployment." />
      <Tabs value={tab} onValueChange={setTab}>
        <div className="mb-6 border-b">
          <TabsList aria-label="Operator sections" className="-mb-px gap-5 max-sm:pr-8">
            {SECTIONS.map(({ value, label }) => (
              <TabsTrigger key={value} value={value} className={TAB}>
                {label}
              </TabsTrigger>
            ))}
            <span
              aria-hidden="true"
              data-fade="page"
              className="pointer-events-none sticky right-0 -mr-8 ml-auto w-8 shrink-0 sm:hidden"
            />
          </TabsList>
        </div>
        <TabsContent value="stats">
          <StatsPanel />
        </TabsContent>
        <TabsContent value="users">
          <UsersPanel />
        </TabsContent>
        <TabsContent value="organizations">
          <OrganizationsPanel />
        </TabsContent>
        <TabsContent value="audit">
          <AuditPanel />
        </TabsContent>
        <TabsContent value="retention">
          <RetentionPanel />
        </TabsContent>
      </Tabs>
    </>
  );
}
