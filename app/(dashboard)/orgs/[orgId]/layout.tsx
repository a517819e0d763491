import type { ReactNode } from 'react';
import { OrganizationGate } from '@/components/orgs/organization-gate';

export default async function OrganizationLayout({
  params,
  children,
}: {
  params: Promise<{ orgId: string }>;
  children: ReactNode;
}) {
  const { orgId } = await params;
  return <OrganizationGate organizationId={orgId}>{children}</OrganizationGate>;
}
