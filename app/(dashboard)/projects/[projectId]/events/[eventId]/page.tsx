import type { Metadata } from 'next';
import { EventPage } from '@/components/events/event-page';

export const metadata: Metadata = { title: 'Event' };

export default async function Page({ params }: { params: Promise<{ projectId: string; eventId: string }> }) {
  const { projectId, eventId } = await params;
  return <EventPage projectId={projectId} eventId={eventId} />;
}
