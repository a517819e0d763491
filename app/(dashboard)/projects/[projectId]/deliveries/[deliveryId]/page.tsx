import type { Metadata } from 'next';
import { DeliveryPage } from '@/components/deliveries/delivery-page';

export const metadata: Metadata = { title: 'Delivery' };

export default async function Page({ params }: { params: Promise<{ projectId: string; deliveryId: string }> }) {
  const { projectId, deliveryId } = await params;
  return <DeliveryPage projectId={projectId} deliveryId={deliveryId} />;
}
