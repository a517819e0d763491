import type { Metadata } from 'next';
import { SourcesPage } from '@/components/sources/sources-page';

export const metadata: Metadata = { title: 'Sources' };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return <SourcesPage projectId={projectId} />;
}
