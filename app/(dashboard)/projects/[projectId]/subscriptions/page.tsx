import type { Metadata } from 'next';
import { SubscriptionsPage } from '@/components/subscriptions/subscriptions-page';

export const metadata: Metadata = { title: 'Subscriptions' };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return <SubscriptionsPage projectId={projectId} />;
}
