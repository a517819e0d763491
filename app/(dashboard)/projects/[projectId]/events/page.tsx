import type { Metadata } from 'next';
import { EventsPage } from '@/components/events/events-page';

export const metadata: Metadata = { title: 'Events' };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return <EventsPage projectId={projectId} />;
}
