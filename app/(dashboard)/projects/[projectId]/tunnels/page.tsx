import type { Metadata } from 'next';

export { TunnelsPage as default } from '@/components/tunnels/tunnels-page';

export const metadata: Metadata = { title: 'Tunnels' };
