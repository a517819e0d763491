import type { Metadata } from 'next';

export { AlertsPage as default } from '@/components/alerts/alerts-page';

export const metadata: Metadata = { title: 'Alerts' };
