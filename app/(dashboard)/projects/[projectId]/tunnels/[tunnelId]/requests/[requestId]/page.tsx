import type { Metadata } from 'next';

export { TunnelRequestPage as default } from '@/components/tunnels/tunnel-request-page';

export const metadata: Metadata = { title: 'Tunnel request' };
