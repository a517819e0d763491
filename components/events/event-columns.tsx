import { columnHelperFor } from '@/components/data-table/column-helper';
import { CopyableId } from '@/components/ui/copyable-id';
import { RelativeTime } from '@/components/ui/relative-time';
import { TypeName } from '@/components/ui/type-name';
import type { EventListItem } from '@/lib/events/schema';
import { DeliveryCounts } from './delivery-counts';

const column = columnHelperFor<EventListItem>();

export const eventColumns = column.columns([
  column.accessor('type', {
    header: 'Type',
    meta: { primary: true },
    cell: ({ row }) => <TypeName>{row.original.type}</TypeName>,
  }),
  column.accessor('deliveries', {
    header: 'Deliveries',
    meta: { unlabelled: true },
    cell: ({ row }) => <DeliveryCounts {...row.original} />,
  }),
  column.accessor('id', {
    header: 'ID',
    meta: { className: 'max-sm:hidden' },
    cell: ({ row }) => (
      <CopyableId id={row.original.id} label="Copy event ID" short className="relative z-10 text-muted" />
    ),
  }),
  column.accessor('createdAt', {
    header: 'Received',
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow className="text-muted" />,
  }),
]);
