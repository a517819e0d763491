import type { Metadata } from 'next';

export { CustomerPage as default } from '@/components/customers/customer-page';

export const metadata: Metadata = { title: 'Customer' };
