import { columnHelperFor } from '@/components/data-table/column-helper';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Endpoint } from '@/lib/delivery/schema';
import { EndpointState } from './endpoint-state';

const column = columnHelperFor<Endpoint>();

export const endpointColumns = column.columns([
  column.accessor('url', {
    header: 'URL',
    meta: { primary: true, className: 'min-w-0 sm:max-w-64 md:max-w-96' },
    cell: ({ row }) => <span className="block truncate font-mono text-xs">{row.original.url}</span>,
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
  column.accessor('createdAt', {
    header: 'Created',
    meta: { className: 'max-sm:hidden' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow />,
  }),
]);
