import type { Metadata } from 'next';

export { AlertPage as default } from '@/components/alerts/alert-page';

export const metadata: Metadata = { title: 'Alert' };
