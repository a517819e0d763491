import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { RelativeTime } from '@/components/ui/relative-time';
import { TypeName } from '@/components/ui/type-name';
import type { Subscription } from '@/lib/delivery/schema';
import { EnabledCell, EndpointCell, SubscriptionRowMenu } from './subscription-cells';

const column = columnHelperFor<Subscription>();

export const subscriptionColumns = column.columns([
  column.accessor('eventType', {
    header: 'Event type',
    meta: { primary: true },
    cell: ({ row }) => <TypeName>{row.original.eventType}</TypeName>,
  }),
  column.accessor('endpointId', {
    header: 'Endpoint',
    meta: { unlabelled: true, className: 'sm:max-w-56 md:max-w-96' },
    cell: ({ row }) => <EndpointCell subscription={row.original} />,
  }),
  column.accessor('enabled', { header: 'Enabled', cell: ({ row }) => <EnabledCell subscription={row.original} /> }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <SubscriptionRowMenu subscription={row.original} /> }),
]);
