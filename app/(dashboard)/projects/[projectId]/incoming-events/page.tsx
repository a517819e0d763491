import type { Metadata } from 'next';

export { IncomingEventsPage as default } from '@/components/incoming-events/incoming-events-page';

export const metadata: Metadata = { title: 'Incoming events' };
