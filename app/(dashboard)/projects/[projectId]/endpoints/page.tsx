import type { Metadata } from 'next';

export { EndpointsPage as default } from '@/components/endpoints/endpoints-page';

export const metadata: Metadata = { title: 'Endpoints' };
