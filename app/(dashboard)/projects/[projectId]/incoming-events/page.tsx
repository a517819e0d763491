import type { Metadata } from 'next';
import { IncomingEventsPage } from '@/components/incoming-events/incoming-events-page';

export const metadata: Metadata = { title: 'Incoming events' };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return <IncomingEventsPage projectId={projectId} />;
}
