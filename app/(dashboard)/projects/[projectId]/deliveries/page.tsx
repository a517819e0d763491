import type { Metadata } from 'next';
import { DeliveriesPage } from '@/components/deliveries/deliveries-page';

export const metadata: Metadata = { title: 'Deliveries' };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return <DeliveriesPage projectId={projectId} />;
}
