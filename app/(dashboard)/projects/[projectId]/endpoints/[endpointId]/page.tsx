import type { Metadata } from 'next';

export { EndpointPage as default } from '@/components/endpoints/endpoint-page';

export const metadata: Metadata = { title: 'Endpoint' };
