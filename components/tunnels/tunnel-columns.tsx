import { columnHelperFor } from '@/components/data-table/column-helper';
import { CopyButton } from '@/components/ui/copy-button';
import type { Tunnel } from '@/lib/tunnel/schema';
import { LastSeen } from './last-seen';
import { describeTestResponse } from './test-responses';
import { TunnelState } from './tunnel-state';

const column = columnHelperFor<Tunnel>();

export const tunnelColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    meta: { primary: true, className: 'min-w-0 sm:max-w-56' },
    cell: ({ row }) => <span className="block truncate">{row.original.name}</span>,
  }),
  column.accessor('online', {
    header: 'State',
    meta: { unlabelled: true },
    cell: ({ row: { original: tunnel } }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <TunnelState tunnel={tunnel} />
        {tunnel.testResponse === null ? null : (
          <span className="whitespace-nowrap text-muted text-xs">
            Responds with {describeTestResponse(tunnel.testResponse)}
          </span>
        )}
      </span>
    ),
  }),
  column.accessor('url', {
    header: 'URL',
    meta: { unlabelled: true, className: 'min-w-0 sm:max-w-44 md:max-w-80' },
    cell: ({ row: { original: tunnel } }) =>
      tunnel.url === null ? (
        <span className="text-danger-text">Can’t be shown</span>
      ) : (
        <span className="flex min-w-0 items-center gap-0.5 text-muted">
          <code className="truncate font-mono text-xs" title={tunnel.url}>
            {tunnel.url}
          </code>
          <CopyButton text={tunnel.url} label={`Copy URL of ${tunnel.name}`} className="relative z-10" />
        </span>
      ),
  }),
  column.accessor('lastSeenAt', {
    header: 'Last seen',
    meta: { align: 'end' },
    cell: ({ row }) => (
      <span className="text-muted">
        <LastSeen tunnel={row.original} inRow />
      </span>
    ),
  }),
]);
