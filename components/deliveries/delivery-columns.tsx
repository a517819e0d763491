import { describeReason, describeStatus } from '@/components/attempts/describe-status';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { TargetUrl } from '@/components/endpoints/target-url';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Delivery } from '@/lib/delivery/schema';
import { DeliveryBadge } from './delivery-badge';
import { DeliverySubject } from './delivery-subject';

const column = columnHelperFor<Delivery>();

export const deliveryColumns = column.columns([
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

function LastResponse({ delivery: { lastResponseStatus, lastError } }: { delivery: Delivery }) {
  const text = lastResponseStatus === null ? lastError : describeStatus(lastResponseStatus);
  return (
    <span className="block truncate" title={lastError === null ? undefined : describeReason(lastError)}>
      {text ?? <span className="text-muted">–</span>}
    </span>
  );
}
