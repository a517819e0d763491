'use client';

import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { Fragment, type ReactNode, useId, useMemo, useState } from 'react';
import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { LiveTable } from '@/components/data-table/live-table';
import { PagedTable } from '@/components/data-table/paged-table';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { usePages } from '@/components/data-table/use-pages';
import { DELIVERY_COLUMNS } from '@/components/deliveries/delivery-columns';
import { RecentDeliveries, useRecentDeliveries } from '@/components/deliveries/recent-deliveries';
import { endpointColumns } from '@/components/endpoints/endpoint-columns';
import { pageOfNew } from '@/components/endpoints/new-endpoint';
import { createEndpoint, useEndpointHealth } from '@/components/endpoints/use-endpoints';
import { CUSTOMER_EVENT_COLUMNS } from '@/components/events/event-columns';
import { curlSample, KEY_VARIABLE } from '@/components/keys/samples';
import { HistoryTabs } from '@/components/orgs/audit/history-links';
import { ResourceFailure, ResourceHead, ResourcePage } from '@/components/projects/resource-page';
import { useDisabledReason, useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CopyableId } from '@/components/ui/copyable-id';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Customer } from '@/lib/customers/schema';
import type { EndpointListItem } from '@/lib/delivery/schema';
import type { EventListItem } from '@/lib/events/schema';
import { customerDeletion } from './customer-deletion';
import { PortalButtons } from './portal-buttons';
import { useCustomer } from './use-customers';

const CustomerForm = dynamic(() => import('./customer-form').then((part) => part.CustomerForm));
const EndpointForm = dynamic(() => import('@/components/endpoints/endpoint-form').then((part) => part.EndpointForm));

/** One customer: its endpoints, deliveries and events, and what is kept with it. */
export function CustomerPage() {
  const actions = useCustomer();
  const disabledReason = useDisabledReason('customer.manage');
  return (
    <ResourcePage
      from={actions}
      skeleton={['h-7 w-56 max-w-full', 'h-48 w-full', 'h-48 w-full']}
      failure={(failure) => <ResourceFailure kind="customer" {...failure} />}
    >
      {(customer) => (
        <>
          <ResourceHead
            kind="customer"
            title={<span className="wrap-anywhere">{customer.name ?? customer.uid}</span>}
            description={
              <span className="flex flex-wrap items-center gap-x-3">
                <CopyableId id={customer.uid} label="Copy your own ID of the customer" />
                <span>
                  Created <RelativeTime at={customer.createdAt} />
                </span>
              </span>
            }
            actions={<PortalButtons customer={customer} disabledReason={disabledReason} />}
            disabledReason={disabledReason}
            editForm={(close) => <CustomerForm customer={customer} send={(body) => actions.update(body).then(close)} />}
            deletion={customerDeletion(customer)}
            remove={actions.remove}
          />
          <CurrentBulkRetries isShown={(filter) => filter.customer === customer.id} />
          <HistoryTabs targetId={customer.id}>
            <CustomerParts customer={customer} />
          </HistoryTabs>
        </>
      )}
    </ResourcePage>
  );
}

const ROWS = 10;
const POLL_MS = 3000;
const KINDS = ['events', 'deliveries'] as const;

/** The parts whose height depends on what they load. None is shown before all have loaded, so that none moves another. */
function CustomerParts({ customer }: { customer: Customer }) {
  const projectId = useProjectId();
  const of = { customer: customer.id };
  const endpoints = usePages<EndpointListItem>(useProjectPath('endpoints'), of);
  const deliveries = useRecentDeliveries(of);
  const events = useLivePages<EventListItem>(useProjectPath('events'), of, {
    projectId,
    kinds: KINDS,
    pollMs: POLL_MS,
    limit: ROWS,
  });
  const isLoading = [endpoints, deliveries.pages, events].some(({ rows, error }) => rows === undefined && !error);
  if (isLoading) return <Skeleton className="h-96 w-full" />;
  return (
    <div className="grid gap-6">
      <Endpoints customer={customer} pages={endpoints} />
      {events.rows?.length === 0 ? null : (
        <RecentDeliveries noun="customer" columns={DELIVERY_COLUMNS} list={deliveries} />
      )}
      <Events customer={customer} pages={events} />
      <MetadataCard customer={customer} />
    </div>
  );
}

/** A part of the page with its heading. */
function Part({ title, actions, children }: { title: string; actions: ReactNode; children: ReactNode }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={headingId} className="font-semibold text-base">
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

function Endpoints({ customer, pages }: { customer: Customer; pages: ReturnType<typeof usePages<EndpointListItem>> }) {
  const projectId = useProjectId();
  const path = useProjectPath('endpoints');
  const disabledReason = useDisabledReason('endpoint.manage');
  const router = useRouter();
  const [adding, setAdding] = useState(false);
  const { health } = useEndpointHealth(pages.rows?.map(({ id }) => id));
  const columns = useMemo(() => endpointColumns(path, (id) => health?.get(id), false), [path, health]);
  const add = (
    <Button size="sm" disabledReason={disabledReason} onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" />
      Add endpoint
    </Button>
  );
  return (
    <Part title="Endpoints" actions={pages.rows?.length === 0 ? null : add}>
      <PagedTable
        label="Endpoints"
        columns={columns}
        pages={pages}
        getRowId={({ id }) => id}
        rowHref={({ id }) => `${path}/${id}`}
        empty={
          <EmptyState
            title="No endpoints yet"
            sentence="Add the URLs where this customer receives events. Without one, its events go nowhere."
            action={add}
          />
        }
      />
      <Dialog open={adding} onOpenChange={setAdding} title={`New endpoint of ${customer.name ?? customer.uid}`}>
        <EndpointForm
          send={async (body) => {
            const endpoint = await createEndpoint(projectId, { ...body, customer: customer.id });
            router.push(`${path}/${pageOfNew(endpoint, body)}`);
          }}
        />
      </Dialog>
    </Part>
  );
}

const EVENT_NOUN = ['event', 'events'] as const;

function Events({ customer, pages }: { customer: Customer; pages: ReturnType<typeof useLivePages<EventListItem>> }) {
  const path = useProjectPath('events');
  const baseUrl = useBaseUrl();
  return (
    <Part
      title="Events"
      actions={
        <TextLink href={`${path}?customer=${customer.id}`} className="text-sm">
          View all events
        </TextLink>
      }
    >
      <LiveTable
        label="Events"
        columns={CUSTOMER_EVENT_COLUMNS}
        pages={pages}
        noun={EVENT_NOUN}
        rowHref={({ id }) => `${path}/${id}`}
        empty={
          <EmptyState
            title="No events yet"
            sentence="Events that your servers send for this customer appear here."
            code={{
              label: 'Send an event for this customer',
              code: curlSample(baseUrl, KEY_VARIABLE, undefined, customer.uid),
            }}
          />
        }
      />
    </Part>
  );
}

function MetadataCard({ customer: { metadata } }: { customer: Customer }) {
  const members = Object.entries(metadata);
  return (
    <Card title="Metadata">
      {members.length === 0 ? (
        <p className="text-muted text-sm">None. Keep texts of your own with a customer, such as its plan.</p>
      ) : (
        <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
          {members.map(([name, value]) => (
            <Fragment key={name}>
              <dt className="wrap-anywhere text-muted">{name}</dt>
              <dd className="wrap-anywhere font-medium">{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Card>
  );
}
