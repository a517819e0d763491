import type { Metadata } from 'next';
import { TunnelRequestPage } from '@/components/tunnels/tunnel-request-page';

export const metadata: Metadata = { title: 'Tunnel request' };

interface Params {
  projectId: string;
  tunnelId: string;
  requestId: string;
}

export default async function Page({ params }: { params: Promise<Params> }) {
  return <TunnelRequestPage {...(await params)} />;
}
