'use client';

import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePages } from '@/components/data-table/use-pages';
import { Button } from '@/components/ui/button';
import { PageTabs } from '@/components/ui/tabs';
import type { PortalEndpointListItem } from '@/lib/portal/schema';
import { EndpointList } from './endpoint-list';
import { Intro } from './intro';
import { usePortal } from './use-portal';
import { useRefresh } from './use-portal-data';
import type { HomeTab, Navigation } from './use-view';
import { ViewFrame } from './view-frame';

const DeliveryList = dynamic(() => import('./delivery-list').then((part) => part.DeliveryList));
const EventList = dynamic(() => import('./event-list').then((part) => part.EventList));

/** The first view: what this page is, the endpoints, and what was sent to them. */
export function HomeView({ tab, navigation }: { tab: HomeTab; navigation: Navigation }) {
  const { canManage } = usePortal();
  const pages = usePages<PortalEndpointListItem>('/endpoints');
  useRefresh(pages);
  const hasEndpoints = pages.rows !== undefined && pages.rows.length > 0;
  const add = canManage ? (
    <Button variant="primary" onClick={() => navigation.go({ name: 'new-endpoint' })}>
      <Plus aria-hidden="true" />
      Add endpoint
    </Button>
  ) : undefined;
  return (
    <ViewFrame title="Webhooks" action={hasEndpoints ? add : undefined} navigation={navigation}>
      <Intro />
      {canManage ? null : (
        <p className="mt-2 max-w-2xl text-muted">
          You can look at everything here except secrets. You can’t change anything.
        </p>
      )}
      <div className="mt-6">
        <PageTabs
          label="Webhooks"
          value={tab}
          onChange={(next) => navigation.replace({ name: 'home', tab: next as HomeTab })}
          tabs={[
            {
              value: 'endpoints',
              label: 'Endpoints',
              content: <EndpointList pages={pages} add={add} navigation={navigation} />,
            },
            { value: 'deliveries', label: 'Deliveries', content: <DeliveryList navigation={navigation} /> },
            { value: 'events', label: 'Events', content: <EventList navigation={navigation} /> },
          ]}
        />
      </div>
    </ViewFrame>
  );
}
