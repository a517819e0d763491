import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Member } from '@/lib/orgs/schema';
import { MemberCell } from './member-cell';
import { MemberRowMenu } from './member-row-menu';
import { RoleSelect } from './role-select';

const column = columnHelperFor<Member>();

export const memberColumns = column.columns([
  column.accessor('email', {
    header: 'Member',
    meta: { primary: true, className: 'max-sm:pr-12' },
    cell: ({ row }) => <MemberCell member={row.original} />,
  }),
  column.accessor('role', { header: 'Role', cell: ({ row }) => <RoleSelect member={row.original} /> }),
  column.accessor('createdAt', {
    header: 'Joined',
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} className="text-muted" />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <MemberRowMenu member={row.original} /> }),
]);
