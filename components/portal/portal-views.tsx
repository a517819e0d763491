'use client';

import dynamic from 'next/dynamic';
import type { CodeSample } from '@/components/ui/code-tabs';
import { Skeleton } from '@/components/ui/skeleton';
import { HomeView } from './home-view';
import { useView } from './use-view';

const loading = () => <Skeleton className="mt-8 h-64 w-full" />;
const NewEndpointView = dynamic(() => import('./new-endpoint-view').then((part) => part.NewEndpointView), { loading });
const EndpointView = dynamic(() => import('./endpoint-view').then((part) => part.EndpointView), { loading });
const DeliveryView = dynamic(() => import('./delivery-view').then((part) => part.DeliveryView), { loading });
const EventView = dynamic(() => import('./event-view').then((part) => part.EventView), { loading });

/** What the portal shows of an open session, one view at a time. */
export function PortalViews({ samples }: { samples: readonly CodeSample[] }) {
  const navigation = useView();
  const { view } = navigation;
  switch (view.name) {
    case 'home':
      return <HomeView tab={view.tab} navigation={navigation} />;
    case 'new-endpoint':
      return <NewEndpointView navigation={navigation} />;
    case 'endpoint':
      return <EndpointView key={view.endpointId} view={view} navigation={navigation} samples={samples} />;
    case 'delivery':
      return <DeliveryView key={view.deliveryId} view={view} navigation={navigation} />;
    case 'event':
      return <EventView key={view.event.id} view={view} navigation={navigation} />;
  }
}
