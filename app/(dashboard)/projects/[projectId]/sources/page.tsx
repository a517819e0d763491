import type { Metadata } from 'next';

export { SourcesPage as default } from '@/components/sources/sources-page';

export const metadata: Metadata = { title: 'Sources' };
