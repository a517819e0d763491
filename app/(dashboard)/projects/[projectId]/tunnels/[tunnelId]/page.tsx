import type { Metadata } from 'next';

export { TunnelPage as default } from '@/components/tunnels/tunnel-page';

export const metadata: Metadata = { title: 'Tunnel' };
