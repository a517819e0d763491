'use client';

import { useState } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { AuditPanel } from './audit/audit-panel';
import { OrganizationsPanel } from './organizations/organizations-panel';
import { RetentionPanel } from './retention-panel';
import { StatsPanel } from './stats-panel';
import { UsersPanel } from './users/users-panel';

/** The tabs of the operator page. The open tab is not in the URL, since searches contain personal data. */
export function OperatorTabs() {
  const [tab, setTab] = useState('stats');
  return (
    <>
      <PageHeader title="Operator" description="All organizations and users of this deployment." />
      <Tabs value={tab} onValueChange={setTab}>
        <TabsList aria-label="Operator sections" className="mb-4 border-b pt-1 pb-2">
          <TabsTrigger value="stats">Statistics</TabsTrigger>
          <TabsTrigger value="users">Users</TabsTrigger>
          <TabsTrigger value="organizations">Organizations</TabsTrigger>
          <TabsTrigger value="audit">Audit log</TabsTrigger>
          <TabsTrigger value="retention">Retention</TabsTrigger>
        </TabsList>
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
