'use client';

import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { CustomerFilter } from '@/components/customers/customer-filter';
import { useHasCustomers } from '@/components/customers/use-customers';
import { FilterBar } from '@/components/data-table/filter-bar';
import { ListPage, NoMatches } from '@/components/data-table/paged-table';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TextFilter } from '@/components/data-table/text-filter';
import { countActive } from '@/components/data-table/url-filters';
import { usePages } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { createCurl } from '@/components/keys/samples';
import { useDisabledReason, useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { Dialog } from '@/components/ui/dialog';
import { TextLink } from '@/components/ui/link';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { EndpointListItem, EndpointStateFilter, ListEndpointsQuery } from '@/lib/delivery/schema';
import { endpointColumns } from './endpoint-columns';
import { EndpointForm } from './endpoint-form';
import { pageOfNew } from './new-endpoint';
import { createEndpoint, useEndpointHealth } from './use-endpoints';

const FILTERS = ['q', 'state', 'customer', 'sort'] as const;
const STATES = [
  { value: 'ENABLED', label: 'Enabled' },
  { value: 'FAILING', label: 'Failing' },
  { value: 'PAUSED', label: 'Paused' },
  { value: 'DISABLED', label: 'Disabled' },
  { value: 'UNSUBSCRIBED', label: 'Receives nothing' },
] satisfies { value: EndpointStateFilter; label: string }[];
const ORDERS = [
  { value: 'createdAt', label: 'Oldest first' },
  { value: 'host', label: 'By host' },
  { value: 'description', label: 'By description' },
  { value: 'success', label: 'Lowest success rate first' },
  { value: '-p95', label: 'Slowest first' },
  { value: 'lastDeliveryAt', label: 'Longest silent first' },
] satisfies { value: ListEndpointsQuery['sort']; label: string }[];

/** A link may name what is none of the options. */
const oneOf = (options: readonly { value: string }[], value: string | undefined) =>
  options.some((option) => option.value === value) ? value : undefined;

/** The endpoints of a project. */
export function EndpointsPage() {
  const projectId = useProjectId();
  const path = useProjectPath('endpoints');
  const subscriptionsPath = useProjectPath('subscriptions');
  const { filters, setFilters } = useUrlFilters(FILTERS);
  const query = { q: filters.q?.slice(0, 200), state: oneOf(STATES, filters.state), customer: filters.customer };
  const sort = oneOf(ORDERS, filters.sort);
  const active = countActive(query);
  const clear = () => setFilters({ q: undefined, state: undefined, customer: undefined });
  const pages = usePages<EndpointListItem>(path, { ...query, sort });
  // Statistics move, so an endpoint may be on two pages.
  const rows = useMemo(() => pages.rows && [...new Map(pages.rows.map((row) => [row.id, row])).values()], [pages.rows]);
  const disabledReason = useDisabledReason('endpoint.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const { health } = useEndpointHealth(rows?.map(({ id }) => id));
  const columns = useMemo(() => endpointColumns(path, (id) => health?.get(id)), [path, health]);
  const [creating, setCreating] = useState(false);
  const hasCustomers = useHasCustomers() === true;
  return (
    <>
      <ListPage
        title="Endpoints"
        description={
          <>
            The URLs that receive events. <TextLink href={subscriptionsPath}>Subscriptions</TextLink> choose which ones.
          </>
        }
        createButton={
          <CreateButton label="New endpoint" disabledReason={disabledReason} onClick={() => setCreating(true)} />
        }
        columns={columns}
        pages={{ ...pages, rows }}
        rowHref={({ id }) => `${path}/${id}`}
        empty={{
          title: 'No endpoints yet',
          sentence: 'An endpoint is a URL on your server that receives events. Subscriptions choose which ones.',
          code: {
            label: 'Create an endpoint with the API',
            code: createCurl(baseUrl, path, '{"url": "https://example.com/webhooks", "eventTypes": ["*"]}'),
          },
        }}
        noMatch={
          active === 0 ? undefined : (
            <NoMatches
              title="No matching endpoints"
              sentence="No endpoint matches all of these filters."
              onClear={clear}
            />
          )
        }
      >
        <FilterBar active={active} onClear={clear}>
          <TextFilter
            label="Search endpoints"
            placeholder="URL, description, or any ID"
            value={filters.q}
            onChange={(q) => setFilters({ q })}
          />
          <SelectFilter
            label="State"
            width="w-44"
            options={[{ value: ANY, label: 'Any state' }, ...STATES]}
            value={query.state}
            onChange={(state) => setFilters({ state })}
          />
          <CustomerFilter value={filters.customer} onChange={(customer) => setFilters({ customer })} />
          <SelectFilter
            label="Order"
            width="w-52"
            options={[{ value: ANY, label: 'Newest first' }, ...ORDERS]}
            value={sort}
            onChange={(chosen) => setFilters({ sort: chosen })}
          />
        </FilterBar>
      </ListPage>
      <Dialog open={creating} onOpenChange={setCreating} title="New endpoint">
        <EndpointForm
          hasCustomers={hasCustomers}
          send={async (body) => router.push(`${path}/${pageOfNew(await createEndpoint(projectId, body), body)}`)}
        />
      </Dialog>
    </>
  );
}
