import type { Metadata } from 'next';
import { AuditPage } from '@/components/orgs/audit/audit-page';

export const metadata: Metadata = { title: 'Audit log' };

export default async function Page({ params }: { params: Promise<{ orgId: string }> }) {
  const { orgId } = await params;
  return <AuditPage organizationId={orgId} />;
}
