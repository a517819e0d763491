import type { Metadata } from 'next';
import { EndpointsPage } from '@/components/endpoints/endpoints-page';

export const metadata: Metadata = { title: 'Endpoints' };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return <EndpointsPage projectId={projectId} />;
}
