import type { Metadata } from 'next';
import { TunnelPage } from '@/components/tunnels/tunnel-page';

export const metadata: Metadata = { title: 'Tunnel' };

export default async function Page({ params }: { params: Promise<{ projectId: string; tunnelId: string }> }) {
  const { projectId, tunnelId } = await params;
  return <TunnelPage projectId={projectId} tunnelId={tunnelId} />;
}
