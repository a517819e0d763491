import type { Metadata } from 'next';

export { KeysPage as default } from '@/components/keys/keys-page';

export const metadata: Metadata = { title: 'API keys' };
