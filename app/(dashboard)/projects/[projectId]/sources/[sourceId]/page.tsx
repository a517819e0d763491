import type { Metadata } from 'next';
import { SourcePage } from '@/components/sources/source-page';

export const metadata: Metadata = { title: 'Source' };

export default async function Page({ params }: { params: Promise<{ projectId: string; sourceId: string }> }) {
  const { projectId, sourceId } = await params;
  return <SourcePage projectId={projectId} sourceId={sourceId} />;
}
