import type { Metadata } from 'next';
import { IncomingEventPage } from '@/components/incoming-events/incoming-event-page';

export const metadata: Metadata = { title: 'Incoming event' };

export default async function Page({ params }: { params: Promise<{ projectId: string; incomingEventId: string }> }) {
  const { projectId, incomingEventId } = await params;
  return <IncomingEventPage projectId={projectId} incomingEventId={incomingEventId} />;
}
