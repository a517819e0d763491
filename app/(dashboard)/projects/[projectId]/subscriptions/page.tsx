import type { Metadata } from 'next';

export { SubscriptionsPage as default } from '@/components/subscriptions/subscriptions-page';

export const metadata: Metadata = { title: 'Subscriptions' };
