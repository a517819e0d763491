import type { Metadata } from 'next';

export { DeliveriesPage as default } from '@/components/deliveries/deliveries-page';

export const metadata: Metadata = { title: 'Deliveries' };
