import type { Metadata } from 'next';

export { CustomersPage as default } from '@/components/customers/customers-page';

export const metadata: Metadata = { title: 'Customers' };
