'use client';

import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { RelativeTime } from '@/components/ui/relative-time';
import type { UserRecord } from '@/lib/admin/schema';
import { SignInMethodList, UserMenu, UserName, UserOrganizations, UserState } from './user-cells';

const column = columnHelperFor<UserRecord>();

export const userColumns = column.columns([
  column.accessor('email', {
    header: 'User',
    meta: { primary: true, className: 'max-sm:pr-12' },
    cell: ({ row }) => <UserName user={row.original} />,
  }),
  column.display({ id: 'state', header: 'State', cell: ({ row }) => <UserState user={row.original} /> }),
  column.display({
    id: 'ways',
    header: 'Sign-in methods',
    cell: ({ row }) => <SignInMethodList user={row.original} />,
  }),
  column.accessor('openSessions', {
    header: 'Sessions',
    cell: ({ row }) => <span className="tabular-nums">{row.original.openSessions} open</span>,
  }),
  column.accessor('organizations', {
    header: 'Organizations',
    cell: ({ row }) => <UserOrganizations user={row.original} />,
  }),
  column.accessor('createdAt', { header: 'Created', cell: ({ row }) => <RelativeTime at={row.original.createdAt} /> }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <UserMenu user={row.original} /> }),
]);
