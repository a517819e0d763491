'use client';

import { Ban, EyeOff, Link2, Send, UserPlus } from 'lucide-react';
import { createContext, useContext, useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { PagedTable } from '@/components/data-table/paged-table';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { EmptyState } from '@/components/ui/empty-state';
import { RelativeTime } from '@/components/ui/relative-time';
import { toast } from '@/components/ui/toast';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Invitation } from '@/lib/orgs/schema';
import type { useInvitations } from './use-invitations';

interface InvitationActions {
  mine: Role | undefined;
  sendAgain: (invitation: Invitation) => void;
  copyLink: (invitation: Invitation) => void;
  revoke: (invitation: Invitation) => void;
}

/** The actions of a row. A context, so that columns can stay at module scope. */
const InvitationActionsContext = createContext<InvitationActions>({
  mine: undefined,
  sendAgain: () => {},
  copyLink: () => {},
  revoke: () => {},
});

const column = columnHelperFor<Invitation>();

const invitationColumns = column.columns([
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

/** The pending invitations of an organization. */
export function InvitationsSection({
  invitations,
  mine,
  disabledReason,
  onInvite,
  onUnsent,
  copyLink,
}: {
  invitations: ReturnType<typeof useInvitations>;
  mine: Role | undefined;
  /** Why the person cannot see them. */
  disabledReason: string | undefined;
  onInvite: () => void;
  /** The server does not send email. */
  onUnsent: (invitation: Invitation) => void;
  copyLink: (invitation: Invitation) => void;
}) {
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const sendAgain = ({ email, role }: Invitation) =>
    void invitations.invite({ email, role }).then(
      (renewed) => {
        if (!renewed.isEmailed) onUnsent(renewed);
        else toast.success(`Invitation emailed to ${email} again. The previous link no longer works.`);
      },
      (error: unknown) => toast.error(`We couldn’t resend the invitation. ${describeError(error).detail}`),
    );
  return (
    <InvitationActionsContext value={{ mine, sendAgain, copyLink, revoke: setRevoking }}>
      <div className="mt-8 mb-3">
        <h2 className="font-semibold text-base">Pending invitations</h2>
        <p className="text-muted text-sm">
          Each invitation works once, only for its email address, and expires in 7 days.
        </p>
      </div>
      {disabledReason === undefined ? (
        <PagedTable
          label="Pending invitations"
          columns={invitationColumns}
          pages={invitations}
          getRowId={(invitation) => invitation.id}
          empty={
            <EmptyState
              title="No pending invitations"
              sentence="Invited people appear here until they accept."
              action={
                <Button onClick={onInvite}>
                  <UserPlus aria-hidden="true" />
                  Invite member
                </Button>
              }
            />
          }
        />
      ) : (
        <p className="flex items-center gap-2.5 rounded-lg border bg-surface px-4 py-3.5 text-muted text-sm shadow-raised">
          <EyeOff aria-hidden="true" className="size-4 shrink-0" />
          {disabledReason}
        </p>
      )}
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(open) => {
          if (!open) setRevoking(null);
        }}
        title={`Revoke the invitation to ${revoking?.email ?? ''}?`}
        description="Its link stops working immediately. You can invite this address again."
        confirmLabel="Revoke invitation"
        onConfirm={async () => {
          if (revoking === null) return;
          await invitations.revoke(revoking.id);
          toast.success('Invitation revoked.');
        }}
      />
    </InvitationActionsContext>
  );
}

/** The actions for a pending invitation. */
function InvitationRowMenu({ invitation }: { invitation: Invitation }) {
  const { mine, sendAgain, copyLink, revoke } = useInvitationActions();
  const isOurs = mine === undefined || mayManage(mine, 'invitation.manage', { from: invitation.role });
  const disabledReason = isOurs ? undefined : 'Only an owner can change an owner’s invitation.';
  return (
    <RowMenu of={`the invitation to ${invitation.email}`}>
      <MenuItem disabledReason={disabledReason} onSelect={() => sendAgain(invitation)}>
        <Send aria-hidden="true" />
        Resend
      </MenuItem>
      <MenuItem disabledReason={disabledReason} onSelect={() => copyLink(invitation)}>
        <Link2 aria-hidden="true" />
        Copy invitation link
      </MenuItem>
      <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => revoke(invitation)}>
        <Ban aria-hidden="true" />
        Revoke
      </MenuItem>
    </RowMenu>
  );
}

function useInvitationActions(): InvitationActions {
  return useContext(InvitationActionsContext);
}
