'use client';

import { RotateCw } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { describeReason, describeStatus } from '@/components/attempts/describe-status';
import { ConfirmRetry } from '@/components/bulk-retries/confirm-retry';
import { CurrentBulkRetries } from '@/components/bulk-retries/current-bulk-retries';
import { describeMatching } from '@/components/bulk-retries/describe-bulk-retry';
import { isRetriable, retryFilterReason } from '@/components/bulk-retries/retry-filter-reason';
import { type NewBulkRetry, useBulkRetries, useDeliveryCount } from '@/components/bulk-retries/use-bulk-retries';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { DownloadMenu } from '@/components/data-table/download-menu';
import { idFault } from '@/components/data-table/id-filter';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/no-matches';
import { dropFaulty } from '@/components/data-table/url-filters';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { useRowSelection } from '@/components/data-table/use-row-selection';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { TargetUrl } from '@/components/endpoints/target-url';
import { typeFault } from '@/components/events/suggest-types';
import { periodOf } from '@/components/events/time-window';
import { LiveMark } from '@/components/live/live-mark';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { useMay } from '@/components/projects/use-may';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { shortId } from '@/components/ui/short-id';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Delivery, DeliveryCount } from '@/lib/delivery/schema';
import { DeliveryBadge } from './delivery-badge';
import { DELIVERY_FILTERS, DeliveryFilters } from './delivery-filters';
import { DeliverySubject } from './delivery-subject';
import { responseFault } from './response-filter';
import { SelectionBar } from './selection-bar';
import { deliveriesPath } from './use-deliveries';

const column = columnHelperFor<Delivery>();

const deliveryColumns = column.columns([
  column.accessor('eventType', {
    header: 'Event',
    meta: { primary: true, className: 'min-w-0 max-sm:pr-24' },
    cell: ({ row }) => <DeliverySubject delivery={row.original} />,
  }),
  column.accessor('status', {
    header: 'State',
    meta: { unlabelled: true },
    cell: ({ row }) => <DeliveryBadge delivery={row.original} />,
  }),
  column.accessor('targetUrl', {
    header: 'Target',
    meta: { unlabelled: true, className: 'min-w-0 sm:max-w-44 md:max-w-72' },
    cell: ({ row }) => <TargetUrl url={row.original.targetUrl} className="text-muted" />,
  }),
  column.accessor('attemptCount', {
    header: 'Attempts',
    meta: { className: 'max-sm:hidden' },
    cell: ({ row }) => <span className="tabular-nums">{row.original.attemptCount}</span>,
  }),
  column.accessor('lastResponseStatus', {
    header: 'Last response',
    meta: { className: 'max-sm:hidden sm:max-w-40 xl:max-w-45' },
    cell: ({ row }) => <LastResponse delivery={row.original} />,
  }),
  column.accessor('createdAt', {
    header: 'Created',
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow className="text-muted" />,
  }),
]);

const NOUN = ['delivery', 'deliveries'] as const;
const KINDS = ['deliveries'] as const;
const POLL_MS = 3000;
const FAULTS = {
  ...{ eventType: typeFault, responseStatus: responseFault, id: idFault, endpointId: idFault },
  ...{ destinationId: idFault, eventId: idFault, incomingEventId: idFault },
};

/** The deliveries of a project, newest first. */
export function DeliveriesPage({ projectId }: { projectId: string }) {
  const filtering = useUrlFilters(DELIVERY_FILTERS);
  const { since, from, to, ...filters } = filtering.filters;
  // Fixed until the filter changes: a start that moves with the clock would be a new list every second.
  const period = useMemo(() => periodOf({ since, from, to }, new Date()), [since, from, to]);
  const query = dropFaulty({ ...filters, ...period }, FAULTS);
  const deliveries = useLivePages<Delivery>(deliveriesPath(projectId), query, {
    ...{ projectId, kinds: KINDS, pollMs: POLL_MS },
  });
  const mayRetry = useMay(projectId, 'delivery.retry');
  const ids = useMemo(() => (deliveries.rows ?? []).map(({ id }) => id), [deliveries.rows]);
  const selection = useRowSelection(ids, JSON.stringify(query));
  const { count, recount } = useDeliveryCount(projectId, mayRetry && isRetriable(query.status) ? query : null);
  const { start } = useBulkRetries(projectId);
  const { reload } = deliveries;
  const refresh = useCallback(() => void Promise.all([reload(), recount()]), [reload, recount]);
  return (
    <>
      <PageHeader
        title="Deliveries"
        description="One delivery for each event and subscribed endpoint, and for each incoming event and destination."
        actions={
          <>
            <LiveMark status={deliveries.status} />
            <DownloadMenu path={deliveriesPath(projectId)} query={query} />
            <RetryMatching projectId={projectId} query={query} count={count} start={start} />
          </>
        }
      />
      <CurrentBulkRetries projectId={projectId} onEnded={refresh} />
      <DeliveryFilters {...filtering} projectId={projectId} deliveries={deliveries.rows ?? []} />
      <LiveTable
        label="Deliveries"
        columns={deliveryColumns}
        pages={deliveries}
        noun={NOUN}
        selection={mayRetry ? { ...selection, nameOf: selectLabel } : undefined}
        rowHref={(delivery) => `/projects/${projectId}/deliveries/${delivery.id}`}
        empty={
          filtering.active ? (
            <NoMatches
              title="No matching deliveries"
              sentence="No delivery matches all of these filters."
              onClear={filtering.clear}
            />
          ) : (
            <NoDeliveries projectId={projectId} />
          )
        }
      />
      {mayRetry ? <SelectionBar selection={selection} query={query} count={count} start={start} /> : null}
    </>
  );
}

function selectLabel({ id, eventType, targetUrl }: Delivery): string {
  return `Select the delivery of ${eventType ?? 'the incoming event'} to ${targetUrl}, ${shortId(id)}`;
}

function NoDeliveries({ projectId }: { projectId: string }) {
  const baseUrl = useBaseUrl();
  return (
    <EmptyState
      title="No deliveries yet"
      sentence="Each event creates a delivery for every endpoint with a matching subscription."
      action={
        <Button asChild variant="primary">
          <Link href={`/projects/${projectId}/subscriptions`}>View subscriptions</Link>
        </Button>
      }
      code={{
        label: 'List deliveries with the API',
        code: `curl ${baseUrl}/api/v1/projects/${projectId}/deliveries -H "X-API-Key: $EDS_API_KEY"`,
      }}
    />
  );
}

/** Retries every delivery that matches the filters, after a confirmation. */
function RetryMatching({
  projectId,
  query,
  count,
  start,
}: {
  projectId: string;
  query: Record<string, string | undefined>;
  /** How many match; undefined until it is known. */
  count: DeliveryCount | undefined;
  start: (body: NewBulkRetry) => Promise<unknown>;
}) {
  const roleReason = useDisabledReason(projectId, 'delivery.retry');
  const [asking, setAsking] = useState(false);
  const reason = roleReason ?? retryFilterReason(query.status, count);
  return (
    <>
      <Button
        disabledReason={reason}
        loading={reason === undefined && count === undefined}
        onClick={() => setAsking(true)}
      >
        <RotateCw aria-hidden="true" />
        {reason === undefined ? `Retry ${describeMatching(count)}` : 'Retry matching'}
      </Button>
      <ConfirmRetry
        open={asking}
        onOpenChange={setAsking}
        count={count?.count ?? 0}
        what="matching"
        onConfirm={() => start(query)}
      />
    </>
  );
}

function LastResponse({ delivery: { lastResponseStatus, lastError } }: { delivery: Delivery }) {
  const text = lastResponseStatus === null ? lastError : describeStatus(lastResponseStatus);
  return (
    <span className="block truncate" title={lastError === null ? undefined : describeReason(lastError)}>
      {text ?? <span className="text-muted">–</span>}
    </span>
  );
}
