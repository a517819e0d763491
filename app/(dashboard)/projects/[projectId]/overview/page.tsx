import type { Metadata } from 'next';
import { OverviewPage } from '@/components/overview/overview-page';

export const metadata: Metadata = { title: 'Overview' };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return <OverviewPage projectId={projectId} />;
}
