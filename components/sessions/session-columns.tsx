'use client';

import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Session } from '@/lib/auth/schema';
import { CloseButton } from './close-button';
import { DeviceCell } from './device-cell';
import { MethodName } from './method-name';

const column = columnHelperFor<Session>();

export const sessionColumns = column.columns([
  column.accessor('device', {
    header: 'Device',
    meta: { primary: true, className: 'max-sm:pr-24' },
    cell: ({ row }) => <DeviceCell session={row.original} />,
  }),
  column.accessor('method', {
    header: 'Sign-in method',
    cell: ({ row }) => <MethodName method={row.original.method} />,
  }),
  column.accessor('ipAddress', {
    header: 'IP address',
    cell: ({ row }) => (
      <code className="break-all font-mono text-xs">{row.original.ipAddress ?? <NoValue label="Unknown" />}</code>
    ),
  }),
  column.accessor('createdAt', { header: 'Started', cell: ({ row }) => <RelativeTime at={row.original.createdAt} /> }),
  column.accessor('lastUsedAt', {
    header: 'Last used',
    cell: ({ row }) => <RelativeTime at={row.original.lastUsedAt} />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <CloseButton session={row.original} /> }),
]);
