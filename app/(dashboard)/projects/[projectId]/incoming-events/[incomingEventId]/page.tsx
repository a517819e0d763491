import type { Metadata } from 'next';

export { IncomingEventPage as default } from '@/components/incoming-events/incoming-event-page';

export const metadata: Metadata = { title: 'Incoming event' };
