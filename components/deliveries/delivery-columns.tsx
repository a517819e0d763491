'use client';

import { describeReason, describeStatus } from '@/components/attempts/describe-status';
import { columnsOf } from '@/components/data-table/column-helper';
import { TargetUrl } from '@/components/endpoints/target-url';
import { ProviderMark } from '@/components/sources/providers';
import { useSourceNames } from '@/components/sources/use-sources';
import { shortId } from '@/components/ui/copyable-id';
import { RelativeTime } from '@/components/ui/relative-time';
import { TypeName } from '@/components/ui/stat';
import type { Delivery } from '@/lib/delivery/schema';
import { DeliveryBadge } from './delivery-state';

/** The columns of a list of deliveries. */
export const DELIVERY_COLUMNS = columnsOf<Delivery>([
  {
    header: 'Event',
    primary: true,
    className: 'min-w-0 max-sm:pr-24 sm:max-w-56',
    cell: (delivery) => <DeliverySubject delivery={delivery} />,
  },
  { header: 'State', unlabelled: true, cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
  {
    header: 'Target',
    unlabelled: true,
    className: 'min-w-0 sm:max-w-44 md:max-w-60 2xl:max-w-80',
    cell: ({ targetUrl }) => <TargetUrl url={targetUrl} className="text-muted" />,
  },
  {
    header: 'Attempts',
    className: 'max-sm:hidden',
    cell: ({ attemptCount }) => <span className="tabular-nums">{attemptCount}</span>,
  },
  {
    header: 'Last response',
    className: 'max-sm:hidden sm:max-w-40 xl:max-w-45',
    cell: ({ lastResponseStatus, lastError }) => (
      <span className="block truncate" title={lastError === null ? undefined : describeReason(lastError)}>
        {(lastResponseStatus === null ? lastError : describeStatus(lastResponseStatus)) ?? (
          <span className="text-muted">–</span>
        )}
      </span>
    ),
  },
  {
    header: 'Created',
    align: 'end',
    unlabelled: true,
    className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow className="text-muted" />,
  },
]);

/** What a delivery is about: the type of its event, or the source of its incoming event. */
function DeliverySubject({ delivery: { eventType, incomingEventId, sourceId } }: { delivery: Delivery }) {
  const source = useSourceNames().find(sourceId);
  if (incomingEventId === null) return <TypeName>{eventType ?? 'event'}</TypeName>;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <ProviderMark provider={source?.provider ?? 'NONE'} />
      <span className="min-w-0 truncate" title={source?.name}>
        {source?.name ?? 'Incoming event'}
      </span>
      <code className="shrink-0 whitespace-nowrap font-mono text-muted text-xs">{shortId(incomingEventId)}</code>
    </span>
  );
}
