import type { Metadata } from 'next';

export { DeliveryPage as default } from '@/components/deliveries/delivery-page';

export const metadata: Metadata = { title: 'Delivery' };
