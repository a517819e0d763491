import type { Metadata } from 'next';

export { EventPage as default } from '@/components/events/event-page';

export const metadata: Metadata = { title: 'Event' };
