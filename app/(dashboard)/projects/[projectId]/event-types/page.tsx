import type { Metadata } from 'next';

export { EventTypesPage as default } from '@/components/event-types/event-types-page';

export const metadata: Metadata = { title: 'Event types' };
