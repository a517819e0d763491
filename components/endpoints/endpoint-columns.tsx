'use client';

import { CustomerLink } from '@/components/customers/customer-link';
import { columnsOf } from '@/components/data-table/column-helper';
import { EndpointState } from '@/components/projects/state-badges';
import { formatShare } from '@/components/ui/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { describeFilter } from '@/lib/delivery/filters/filter-policy';
import type { EndpointListItem } from '@/lib/delivery/schema';
import type { EndpointHealth } from '@/lib/stats/schema';
import { HealthSparkline, LastDeliveries } from './endpoint-health';
import { TargetUrl } from './target-url';
import { SUBSCRIPTIONS_ANCHOR } from './use-endpoints';

/**
 * The columns of a list of endpoints.
 * @param path that of all endpoints
 * @param showsCustomer whether each row shows its customer
 */
export const endpointColumns = (
  path: string,
  healthOf: (id: string) => EndpointHealth | undefined,
  showsCustomer = true,
) =>
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
      cell: (endpoint) => (
        <Purpose
          endpoint={endpoint}
          href={`${path}/${endpoint.id}#${SUBSCRIPTIONS_ANCHOR}`}
          showsCustomer={showsCustomer}
        />
      ),
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

/** The description, customer and events of an endpoint. */
function Purpose({ endpoint, href, showsCustomer }: PurposeProps) {
  const { description, eventTypes, eventTypeCount, filter, receivesCustomerEvents } = endpoint;
  const ofCustomer = showsCustomer && endpoint.customerId !== null;
  const more = eventTypeCount - Math.min(eventTypes.length, SHOWN_TYPES);
  const types = eventTypes.slice(0, SHOWN_TYPES).map((type) => (type === '*' ? 'all events' : type));
  const where = filter === null ? '' : ` where ${describeFilter(filter)}`;
  const alsoOf = receivesCustomerEvents ? ', also of customers' : '';
  const text = `${types.join(', ')}${more > 0 ? ` and ${more} more` : ''}${alsoOf}${where}`;
  return (
    <span className="grid min-w-0 gap-0.5">
      {description === null ? null : (
        <span className="block truncate" title={description}>
          {description}
        </span>
      )}
      <span className="flex min-w-0 items-center gap-x-2">
        {ofCustomer ? <CustomerLink of={endpoint} className="relative z-10 max-w-3/5 shrink-0" /> : null}
        {eventTypeCount === 0 ? (
          <span className="text-warning-text text-xs">
            Receives nothing yet.{' '}
            <TextLink href={href} prefetch={false} className="relative z-10 whitespace-nowrap">
              Choose events
            </TextLink>
          </span>
        ) : (
          <span className="min-w-0 truncate text-muted text-xs" title={`${eventTypes.join(', ')}${alsoOf}${where}`}>
            {text}
          </span>
        )}
      </span>
    </span>
  );
}

interface PurposeProps {
  endpoint: EndpointListItem;
  /** The page where its events are chosen. */
  href: string;
  showsCustomer: boolean;
}

const SHOWN_TYPES = 3;

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
