import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { RelativeTime } from '@/components/ui/relative-time';
import type { ApiKey } from '@/lib/keys/schema';
import { KeyBadge } from './key-badge';
import { KeyCreation } from './key-creation';
import { KeyName } from './key-name';
import { KeyRowMenu } from './key-row-menu';
import { SCOPES } from './scopes';

const column = columnHelperFor<ApiKey>();

export const keyColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    meta: { primary: true },
    cell: ({ row }) => <KeyName apiKey={row.original} />,
  }),
  column.accessor('hint', {
    header: 'Key',
    cell: ({ row }) => (
      <span className="min-w-0">
        <code className="whitespace-nowrap font-mono text-xs">{row.original.hint}</code>
        <span className="block whitespace-nowrap text-muted text-xs">{SCOPES[row.original.scope].label}</span>
      </span>
    ),
  }),
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
    cell: ({ row }) => <KeyCreation apiKey={row.original} />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <KeyRowMenu apiKey={row.original} /> }),
]);
