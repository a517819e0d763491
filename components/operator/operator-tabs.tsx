'use client';

import { useState } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { AuditPanel } from './audit/audit-panel';
import { OrganizationsPanel } from './organizations/organizations-panel';
import { RetentionPanel } from './retention-panel';
import { StatsPanel } from './stats-panel';
import { UsersPanel } from './users/users-panel';

/** What the operator can see and do. Which part is open is not in the address: what is searched for is people's data. */
export function OperatorTabs() {
  const [tab, setTab] = useState('stats');
  return (
    <>
      <PageHeader title="Operator" description="Every organization and person of this deployment." />
      <Tabs value={tab} onValueChange={setTab}>
        <TabsList aria-label="Parts of the operator’s page" className="-mx-1 mb-4 border-b px-1 pt-1 pb-2">
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
