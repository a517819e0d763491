import type { Metadata } from 'next';

export { OverviewPage as default } from '@/components/overview/overview-page';

export const metadata: Metadata = { title: 'Overview' };
