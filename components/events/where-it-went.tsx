'use client';

import { Send } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { LoadMore } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { TargetUrl } from '@/components/endpoints/target-url';
import { useToastAction } from '@/components/form/use-async-action';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { RoutingBadge } from '@/components/routing/routing-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import { InlineError } from '@/components/ui/inline-error';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import { RowsTable, type TableColumn } from '@/components/ui/table';
import type { EventDetail, RoutingItem } from '@/lib/delivery/schema';

/** Says of each endpoint whether an event went to it, and where it did not, why. */
export function WhereItWent({ event, onSent }: { event: EventDetail; onSent: () => unknown }) {
  const path = useProjectPath(`events/${event.id}`);
  const pages = usePages<RoutingItem>(`${path}/routing`);
  const boxId = useId();
  const [isUnsentOnly, setUnsentOnly] = useState(false);
  const { reload } = pages;
  const progress = `${event.fanOutStatus} ${event.deliveries.length}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads it again when the event got deliveries
  useEffect(() => {
    void reload();
  }, [progress]);
  const rows = pages.rows?.filter(({ outcome }) => !isUnsentOnly || outcome !== 'SENT');
  const isWithoutOwn =
    event.customerId !== null &&
    pages.rows !== undefined &&
    !pages.hasMore &&
    !pages.rows.some(({ customerId }) => customerId === event.customerId);
  const columns: TableColumn<RoutingItem>[] = [
    { header: 'Endpoint', cell: (row) => <EndpointName row={row} /> },
    { header: 'Outcome', cell: ({ outcome }) => <RoutingBadge outcome={outcome} /> },
    { header: 'Reason', className: 'text-muted sm:w-1/2', cell: ({ reason }) => <Reason text={reason} /> },
    {
      header: 'Actions',
      isHeaderHidden: true,
      className: 'sm:text-right',
      cell: (row) => (maySend(row) ? <SendButton eventPath={path} row={row} onSent={onSent} /> : null),
    },
  ];
  return (
    <Card
      title="Where it went"
      description="Each endpoint this event could go to, and what decided."
      flush
      actions={
        <label htmlFor={boxId} className="flex items-center gap-2 text-sm">
          <Checkbox id={boxId} checked={isUnsentOnly} onChange={({ target }) => setUnsentOnly(target.checked)} />
          Only where it wasn’t sent
        </label>
      }
    >
      <InlineError what="We couldn’t load where the event went" error={pages.error} className="m-4" />
      {rows === undefined && pages.error === undefined ? <Skeleton className="m-4 h-16" /> : null}
      {rows?.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted text-sm">
          {isUnsentOnly && pages.rows?.length !== 0
            ? 'It was sent to each of these endpoints.'
            : 'There is no endpoint.'}
        </p>
      ) : null}
      {isWithoutOwn ? (
        <p className="border-b px-4 py-3 text-muted text-sm">Its customer {event.customerUid} has no endpoint yet.</p>
      ) : null}
      {rows === undefined || rows.length === 0 ? null : (
        <RowsTable label="Where it went" columns={columns} rows={rows} keyOf={({ endpointId }) => endpointId} />
      )}
      {rows === undefined ? null : <LoadMore pages={pages} />}
    </Card>
  );
}

const Reason = ({ text }: { text: string }) => <span className="wrap-anywhere min-w-0 py-1">{text}</span>;

function EndpointName({ row: { endpointId, url, outcome } }: { row: RoutingItem }) {
  const href = useProjectPath(`endpoints/${endpointId}`);
  if (outcome === 'DELETED') return <TargetUrl url={url} />;
  return (
    <Link href={href} prefetch={false} className="block min-w-0 rounded-sm hover:underline">
      <TargetUrl url={url} />
    </Link>
  );
}

/** Whether sending may help: an endpoint that is disabled may have been enabled since. */
const maySend = ({ outcome }: RoutingItem) => !['SENT', 'DELETED', 'OTHER_CUSTOMER'].includes(outcome);

function SendButton({
  eventPath,
  row: { endpointId },
  onSent,
}: {
  eventPath: string;
  row: RoutingItem;
  onSent: () => unknown;
}) {
  const disabledReason = useDisabledReason('delivery.retry');
  const { pending, run } = useToastAction('We couldn’t send the event');
  const send = async () => {
    await apiFetch(`${eventPath}/deliveries`, { method: 'POST', body: { endpointId } });
    await onSent();
  };
  return (
    <Button size="sm" loading={pending} disabledReason={disabledReason} onClick={() => run(send)}>
      <Send aria-hidden="true" />
      Send to this endpoint
    </Button>
  );
}
