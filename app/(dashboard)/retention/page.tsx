import type { Metadata } from 'next';

export { RetentionPage as default } from '@/components/retention/retention-page';

export const metadata: Metadata = { title: 'Retention' };
