import type { Metadata } from 'next';

export { EventTypePage as default } from '@/components/event-types/event-type-page';

export const metadata: Metadata = { title: 'Event type' };
