import type { Metadata } from 'next';
import { EndpointPage } from '@/components/endpoints/endpoint-page';

export const metadata: Metadata = { title: 'Endpoint' };

export default async function Page({ params }: { params: Promise<{ projectId: string; endpointId: string }> }) {
  const { projectId, endpointId } = await params;
  return <EndpointPage projectId={projectId} endpointId={endpointId} />;
}
