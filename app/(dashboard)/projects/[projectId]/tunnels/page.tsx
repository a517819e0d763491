import type { Metadata } from 'next';
import { TunnelsPage } from '@/components/tunnels/tunnels-page';

export const metadata: Metadata = { title: 'Tunnels' };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return <TunnelsPage projectId={projectId} />;
}
