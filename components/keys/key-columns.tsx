import { columnsOf } from '@/components/data-table/features';
import { RelativeTime } from '@/components/ui/relative-time';
import type { ApiKey } from '@/lib/keys/schema';
import { KeyBadge } from './key-badge';
import { KeyRowMenu } from './key-row-menu';
import { SCOPES } from './scopes';

const column = columnsOf<ApiKey>();

export const keyColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    meta: { primary: true },
    cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
  }),
  column.accessor('hint', {
    header: 'Key',
    cell: ({ row }) => <code className="font-mono text-muted text-xs">{row.original.hint}</code>,
  }),
  column.accessor('scope', { header: 'Scope', cell: ({ row }) => SCOPES[row.original.scope].label }),
  column.accessor('status', { header: 'State', cell: ({ row }) => <KeyBadge apiKey={row.original} /> }),
  column.accessor('lastUsedAt', {
    header: 'Last used',
    cell: ({ row }) =>
      row.original.lastUsedAt === null ? (
        <span className="text-muted">Never</span>
      ) : (
        <RelativeTime at={row.original.lastUsedAt} inRow />
      ),
  }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow />,
  }),
  column.display({
    id: 'actions',
    header: () => <span className="sr-only">Actions</span>,
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2 max-sm:right-0' },
    cell: ({ row }) => <KeyRowMenu apiKey={row.original} />,
  }),
]);
