import type { Metadata } from 'next';

export { JobsPage as default } from '@/components/jobs/jobs-page';

export const metadata: Metadata = { title: 'Jobs' };
