import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Invitation } from '@/lib/orgs/schema';
import { InvitationRowMenu } from './invitation-row-menu';

const column = columnHelperFor<Invitation>();

export const invitationColumns = column.columns([
  column.accessor('email', {
    header: 'Email',
    meta: { primary: true, className: 'max-sm:pr-12' },
    cell: ({ row }) => <span className="wrap-anywhere font-medium">{row.original.email}</span>,
  }),
  column.accessor('role', { header: 'Role', cell: ({ row }) => ROLE_LABELS[row.original.role].label }),
  column.accessor('invitedBy', {
    header: 'Invited by',
    cell: ({ row }) => {
      const { invitedBy } = row.original;
      if (invitedBy === null) return <span className="text-muted">Deleted account</span>;
      return (
        <span className="wrap-anywhere" title={invitedBy.email}>
          {invitedBy.name ?? invitedBy.email}
        </span>
      );
    },
  }),
  column.accessor('createdAt', {
    header: 'Sent',
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} className="text-muted" />,
  }),
  column.accessor('expiresAt', {
    header: 'Expires',
    cell: ({ row }) => <RelativeTime at={row.original.expiresAt} />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <InvitationRowMenu invitation={row.original} /> }),
]);
