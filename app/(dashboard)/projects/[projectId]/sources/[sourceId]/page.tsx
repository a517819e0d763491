import type { Metadata } from 'next';

export { SourcePage as default } from '@/components/sources/source-page';

export const metadata: Metadata = { title: 'Source' };
