import { columnHelperFor } from '@/components/data-table/column-helper';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { CopyableId } from '@/components/ui/copyable-id';
import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import type { IncomingEvent } from '@/lib/incoming/schema';
import { SourceName } from './source-name';
import { VerifiedBadge } from './verified-badge';

const column = columnHelperFor<IncomingEvent>();

const SIGNATURE = column.accessor('verified', {
  header: 'Signature',
  meta: { unlabelled: true },
  cell: ({ row }) => <VerifiedBadge verified={row.original.verified} />,
});
const CONTENT = column.accessor('contentType', {
  header: 'Content type',
  meta: { unlabelled: true, className: 'min-w-0 sm:max-w-56' },
  cell: ({ row }) => (
    <code className="block truncate font-mono text-muted text-xs" title={row.original.contentType ?? undefined}>
      {row.original.contentType ?? <NoValue label="No content type" />}
    </code>
  ),
});
const SIZE = column.accessor('size', {
  header: 'Size',
  meta: { className: 'max-sm:hidden whitespace-nowrap tabular-nums text-muted' },
  cell: ({ row }) => formatBytes(row.original.size),
});
const RECEIVED = column.accessor('createdAt', {
  header: 'Received',
  meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0' },
  cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow className="text-muted" />,
});

/** The incoming events of a project. */
export const incomingEventColumns = column.columns([
  column.accessor('sourceId', {
    header: 'Source',
    meta: { primary: true, className: 'min-w-0 max-sm:pr-24 sm:max-w-64' },
    cell: ({ row }) => <SourceName sourceId={row.original.sourceId} />,
  }),
  SIGNATURE,
  CONTENT,
  SIZE,
  column.accessor('id', {
    header: 'ID',
    meta: { className: 'max-sm:hidden' },
    cell: ({ row }) => (
      <CopyableId id={row.original.id} label="Copy incoming event ID" short className="relative z-10 text-muted" />
    ),
  }),
  RECEIVED,
]);

/** The incoming events of one source, which their rows need not name. */
export const incomingEventColumnsOfSource = column.columns([
  column.accessor('id', {
    header: 'ID',
    meta: { primary: true, className: 'whitespace-nowrap' },
    cell: ({ row }) => <code className="font-mono text-xs">…{row.original.id.slice(-8)}</code>,
  }),
  SIGNATURE,
  CONTENT,
  SIZE,
  RECEIVED,
]);
