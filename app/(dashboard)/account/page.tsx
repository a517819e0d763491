import type { Metadata } from 'next';

export { AccountPage as default } from '@/components/account/account-page';

export const metadata: Metadata = { title: 'Account' };
