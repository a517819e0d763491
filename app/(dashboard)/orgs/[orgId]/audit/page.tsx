import type { Metadata } from 'next';

export { AuditPage as default } from '@/components/orgs/audit/audit-page';

export const metadata: Metadata = { title: 'Audit log' };
