'use client';

import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { columnsOf } from '@/components/data-table/column-helper';
import { FilterBar } from '@/components/data-table/filter-bar';
import { ListPage, NoMatches } from '@/components/data-table/paged-table';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TextFilter } from '@/components/data-table/text-filter';
import { countActive } from '@/components/data-table/url-filters';
import { usePages } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { createCurl } from '@/components/keys/samples';
import { EndpointState } from '@/components/projects/state-badges';
import { useDisabledReason, useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { Dialog } from '@/components/ui/dialog';
import { formatShare } from '@/components/ui/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { describeFilter } from '@/lib/delivery/filters/filter-policy';
import type { EndpointListItem, EndpointStateFilter, ListEndpointsQuery } from '@/lib/delivery/schema';
import type { EndpointHealth } from '@/lib/stats/schema';
import { EndpointForm } from './endpoint-form';
import { HealthSparkline, LastDeliveries } from './endpoint-health';
import { TargetUrl } from './target-url';
import { createEndpoint, SUBSCRIPTIONS_ANCHOR, useEndpointHealth } from './use-endpoints';

const endpointColumns = (path: string, healthOf: (id: string) => EndpointHealth | undefined) =>
  columnsOf<EndpointListItem>([
    {
      header: 'URL',
      primary: true,
      className: 'min-w-0 sm:max-w-64 md:max-w-80',
      cell: ({ url }) => <TargetUrl url={url} />,
    },
    {
      header: 'Description and events',
      unlabelled: true,
      className: 'sm:max-w-56',
      cell: (endpoint) => <Purpose endpoint={endpoint} href={`${path}/${endpoint.id}#${SUBSCRIPTIONS_ANCHOR}`} />,
    },
    { header: 'State', unlabelled: true, cell: (endpoint) => <EndpointState {...endpoint} /> },
    { header: 'Last 24 hours', cell: ({ id }) => <HealthCell health={healthOf(id)} /> },
    {
      header: 'Recent deliveries',
      hidden: 'max-sm:hidden max-2xl:hidden',
      cell: ({ id }) => {
        const health = healthOf(id);
        // Above the link of the row.
        return (
          health && (
            <span className="relative z-10">
              <LastDeliveries health={health} />
            </span>
          )
        );
      },
    },
    {
      header: 'Last event',
      align: 'end',
      cell: ({ lastDeliveryAt }) =>
        lastDeliveryAt === null ? (
          <span className="text-muted">Never</span>
        ) : (
          <RelativeTime at={lastDeliveryAt} inRow />
        ),
    },
  ]);

/** What an endpoint is for, and which events it receives. */
function Purpose({ endpoint: { description, eventTypes, eventTypeCount, filter }, href }: PurposeProps) {
  const more = eventTypeCount - Math.min(eventTypes.length, SHOWN_TYPES);
  const types = eventTypes.slice(0, SHOWN_TYPES).map((type) => (type === '*' ? 'all events' : type));
  const where = filter === null ? '' : ` where ${describeFilter(filter)}`;
  const text = `${types.join(', ')}${more > 0 ? ` and ${more} more` : ''}${where}`;
  return (
    <span className="grid min-w-0 gap-0.5">
      {description === null ? null : (
        <span className="block truncate" title={description}>
          {description}
        </span>
      )}
      {eventTypeCount === 0 ? (
        <span className="text-warning-text text-xs">
          Receives nothing yet.{' '}
          <TextLink href={href} prefetch={false} className="relative z-10 whitespace-nowrap">
            Choose events
          </TextLink>
        </span>
      ) : (
        <span className="block truncate text-muted text-xs" title={`${eventTypes.join(', ')}${where}`}>
          {text}
        </span>
      )}
    </span>
  );
}

interface PurposeProps {
  endpoint: EndpointListItem;
  /** The page where its events are chosen. */
  href: string;
}

const SHOWN_TYPES = 3;

const FILTERS = ['q', 'state', 'sort'] as const;
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
  const query = { q: filters.q?.slice(0, 200), state: oneOf(STATES, filters.state) };
  const sort = oneOf(ORDERS, filters.sort);
  const active = countActive(query);
  const clear = () => setFilters({ q: undefined, state: undefined });
  const pages = usePages<EndpointListItem>(path, { ...query, sort });
  // Statistics move, so an endpoint may be on two pages.
  const rows = useMemo(() => pages.rows && [...new Map(pages.rows.map((row) => [row.id, row])).values()], [pages.rows]);
  const disabledReason = useDisabledReason('endpoint.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const { health } = useEndpointHealth(rows?.map(({ id }) => id));
  const columns = useMemo(() => endpointColumns(path, (id) => health?.get(id)), [path, health]);
  const [creating, setCreating] = useState(false);
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
            placeholder="URL, description, or ID"
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
        <EndpointForm send={async (body) => router.push(`${path}/${(await createEndpoint(projectId, body)).id}`)} />
      </Dialog>
    </>
  );
}

/** Takes the same room while it loads. */
function HealthCell({ health }: { health: EndpointHealth | undefined }) {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3 max-sm:flex-col max-sm:items-stretch max-sm:gap-1 max-sm:py-1">
      {health === undefined ? (
        <Skeleton className="h-6 w-28 shrink-0 max-sm:w-full sm:max-md:hidden" />
      ) : (
        <HealthSparkline health={health} className="shrink-0 max-sm:w-full sm:max-md:hidden" />
      )}
      <span className="flex min-h-4 flex-col justify-center whitespace-nowrap text-xs tabular-nums max-sm:block sm:min-h-9 sm:w-26">
        {health === undefined ? <span className="text-muted">…</span> : <HealthFigures health={health} />}
      </span>
    </span>
  );
}

function HealthFigures({ health: { attempts, attemptDuration } }: { health: EndpointHealth }) {
  const share = formatShare(attempts.succeeded, attempts.succeeded + attempts.failed);
  return (
    <>
      <span className="sm:block">{share === null ? 'No attempts' : `${share} succeeded`}</span>
      {attemptDuration === null ? null : (
        <>
          <span className="text-muted sm:hidden"> · </span>
          <span className="text-muted sm:block">p95 {formatDuration(attemptDuration.p95Ms)}</span>
        </>
      )}
    </>
  );
}
