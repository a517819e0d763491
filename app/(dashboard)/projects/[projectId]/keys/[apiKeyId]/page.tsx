import type { Metadata } from 'next';

export { KeyPage as default } from '@/components/keys/key-page';

export const metadata: Metadata = { title: 'API key' };
