import type { Metadata } from 'next';

export { EventsPage as default } from '@/components/events/events-page';

export const metadata: Metadata = { title: 'Events' };
