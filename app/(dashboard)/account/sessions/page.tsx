import type { Metadata } from 'next';

export { SessionsPage as default } from '@/components/sessions/sessions-page';

export const metadata: Metadata = { title: 'Sessions' };
