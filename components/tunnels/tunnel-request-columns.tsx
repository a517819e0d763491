import { History } from 'lucide-react';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { formatDuration } from '@/components/ui/format-time';
import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import type { TunnelRequest } from '@/lib/tunnel/schema';
import { RequestOutcome } from './request-outcome';

const column = columnHelperFor<TunnelRequest>();

export const tunnelRequestColumns = column.columns([
  column.accessor('path', {
    header: 'Request',
    meta: { primary: true, className: 'min-w-0 max-sm:pr-20 sm:max-w-60 md:max-w-96' },
    cell: ({ row }) => (
      <span className="flex min-w-0 items-center gap-2 font-mono text-xs" title={row.original.path}>
        <span className="shrink-0 font-semibold">{row.original.method}</span>
        <span className="truncate font-normal">{row.original.path}</span>
        {row.original.replayOf === null ? null : (
          <span className="inline-flex shrink-0 items-center gap-1 font-sans text-muted">
            <History aria-hidden="true" className="size-3" />
            Replay
          </span>
        )}
      </span>
    ),
  }),
  column.accessor('responseStatus', {
    header: 'Status',
    meta: { unlabelled: true },
    cell: ({ row }) => <RequestOutcome request={row.original} />,
  }),
  column.accessor('durationMs', {
    header: 'Duration',
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-9 max-sm:right-0' },
    cell: ({ row }) => (
      <span className="whitespace-nowrap tabular-nums max-sm:text-muted">
        {row.original.durationMs === null ? <NoValue /> : formatDuration(row.original.durationMs)}
      </span>
    ),
  }),
  column.accessor('responseSize', {
    header: 'Size in / out',
    meta: { align: 'end', className: 'max-sm:hidden' },
    cell: ({ row }) => (
      <span className="whitespace-nowrap text-muted tabular-nums">
        {formatBytes(row.original.requestSize)} /{' '}
        {row.original.responseSize === null ? <NoValue /> : formatBytes(row.original.responseSize)}
      </span>
    ),
  }),
  column.accessor('createdAt', {
    header: 'Received',
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow className="text-muted" />,
  }),
]);
