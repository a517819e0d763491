import type { Metadata } from 'next';
import { SettingsPage } from '@/components/orgs/settings/settings-page';

export const metadata: Metadata = { title: 'Organization settings' };

export default async function Page({ params }: { params: Promise<{ orgId: string }> }) {
  const { orgId } = await params;
  return <SettingsPage organizationId={orgId} />;
}
