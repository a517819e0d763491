import { columnHelperFor } from '@/components/data-table/column-helper';
import { formatShare } from '@/components/overview/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Endpoint } from '@/lib/delivery/schema';
import type { EndpointHealth } from '@/lib/stats/schema';
import { EndpointState } from './endpoint-state';
import { HealthSparkline } from './health-sparkline';
import { LastDeliveries } from './last-deliveries';
import { TargetUrl } from './target-url';

const column = columnHelperFor<Endpoint>();

/** Returns the columns of the list, with the health of the loaded endpoints. */
export const endpointColumns = (projectId: string, healthOf: (id: string) => EndpointHealth | undefined) =>
  column.columns([
    column.accessor('url', {
      header: 'URL',
      meta: { primary: true, className: 'min-w-0 sm:max-w-64 md:max-w-72' },
      cell: ({ row }) => <TargetUrl url={row.original.url} />,
    }),
    column.accessor('description', {
      header: 'Description',
      meta: { unlabelled: true, className: 'sm:max-w-56' },
      cell: ({ row }) => <span className="block truncate text-muted">{row.original.description ?? '–'}</span>,
    }),
    column.accessor('enabled', {
      header: 'State',
      meta: { unlabelled: true },
      cell: ({ row }) => <EndpointState endpoint={row.original} />,
    }),
    column.display({
      id: 'health',
      header: 'Last 24 hours',
      meta: {},
      cell: ({ row }) => <HealthCell health={healthOf(row.original.id)} />,
    }),
    column.display({
      id: 'deliveries',
      header: 'Recent deliveries',
      meta: { hidden: 'max-sm:hidden max-2xl:hidden' },
      cell: ({ row }) => {
        const health = healthOf(row.original.id);
        return health === undefined ? null : (
          // Above the link of the row.
          <span className="relative z-10">
            <LastDeliveries projectId={projectId} health={health} />
          </span>
        );
      },
    }),
    column.accessor('createdAt', {
      header: 'Created',
      meta: { align: 'end', hidden: 'max-sm:hidden max-xl:hidden' },
      cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow />,
    }),
  ]);

/** The last 24 hours of an endpoint in a row of the list. */
function HealthCell({ health }: { health: EndpointHealth | undefined }) {
  if (health === undefined) return <span className="text-muted">…</span>;
  const { succeeded, failed } = health.attempts;
  const share = formatShare(succeeded, succeeded + failed);
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3 max-sm:flex-col max-sm:items-stretch max-sm:gap-1 max-sm:py-1">
      <HealthSparkline health={health} className="max-sm:w-full sm:max-md:hidden" />
      <span className="whitespace-nowrap text-xs tabular-nums">
        <span className="sm:block">{share === null ? 'No attempts' : `${share} succeeded`}</span>
        {health.attemptDuration === null ? null : (
          <>
            <span className="text-muted sm:hidden"> · </span>
            <span className="text-muted sm:block">p95 {formatDuration(health.attemptDuration.p95Ms)}</span>
          </>
        )}
      </span>
    </span>
  );
}
