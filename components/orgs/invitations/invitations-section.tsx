'use client';

import { Ban, EyeOff, Link2, Send, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useIsMailSent } from '@/components/auth/mail-sent';
import { ApiError, describeError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { type Column, columnsOf } from '@/components/data-table/column-helper';
import { PagedTable } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { nameOf } from '@/components/orgs/members/use-members';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { EmptyState } from '@/components/ui/empty-state';
import { RelativeTime } from '@/components/ui/relative-time';
import { toast } from '@/components/ui/toast';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { CreatedInvitation, Invitation, InvitationLink } from '@/lib/orgs/schema';

const COLUMNS: Column<Invitation>[] = [
  {
    header: 'Email',
    primary: true,
    className: 'max-sm:pr-12',
    cell: ({ email }) => <span className="wrap-anywhere font-medium">{email}</span>,
  },
  { header: 'Role', cell: ({ role }) => ROLE_LABELS[role].label },
  {
    header: 'Invited by',
    cell: ({ invitedBy }) =>
      invitedBy === null ? (
        <span className="text-muted">Deleted account</span>
      ) : (
        <span className="wrap-anywhere" title={invitedBy.email}>
          {nameOf(invitedBy)}
        </span>
      ),
  },
  { header: 'Sent', cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-muted" /> },
  { header: 'Expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
];

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
  const isMailSent = useIsMailSent();
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const sendAgain = ({ email, role }: Invitation) =>
    void invitations.invite({ email, role }).then(
      (renewed) => {
        if (!renewed.isEmailed) onUnsent(renewed);
        else toast.success(`Invitation emailed to ${email} again. The previous link no longer works.`);
      },
      (error: unknown) => toast.error(`We couldn’t resend the invitation. ${describeError(error).detail}`),
    );
  const menuOf = (invitation: Invitation) => {
    const isOurs = mine === undefined || mayManage(mine, 'invitation.manage', { from: invitation.role });
    const refusal = isOurs ? undefined : 'Only an owner can change an owner’s invitation.';
    return (
      <RowMenu of={`the invitation to ${invitation.email}`}>
        {isMailSent ? (
          <MenuItem disabledReason={refusal} onSelect={() => sendAgain(invitation)}>
            <Send aria-hidden="true" />
            Email again
          </MenuItem>
        ) : null}
        <MenuItem disabledReason={refusal} onSelect={() => copyLink(invitation)}>
          <Link2 aria-hidden="true" />
          New invitation link
        </MenuItem>
        <MenuItem tone="danger" disabledReason={refusal} onSelect={() => setRevoking(invitation)}>
          <Ban aria-hidden="true" />
          Revoke
        </MenuItem>
      </RowMenu>
    );
  };
  return (
    <>
      <div className="mt-8 mb-3">
        <h2 className="font-semibold text-base">Pending invitations</h2>
        <p className="text-muted text-sm">
          Each invitation works once, only for its email address, and expires in 7 days.
        </p>
      </div>
      {disabledReason === undefined ? (
        <PagedTable
          label="Pending invitations"
          columns={columnsOf(COLUMNS, menuOf)}
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
      {revoking === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={() => setRevoking(null)}
          title={`Revoke the invitation to ${revoking.email}?`}
          description="Its link stops working immediately. You can invite this address again."
          confirmLabel="Revoke invitation"
          onConfirm={async () => {
            await invitations.revoke(revoking.id);
            toast.success('Invitation revoked.');
          }}
        />
      )}
    </>
  );
}

/** Loads the pending invitations of an organization, unless the person cannot read them, and returns their actions. */
export function useInvitations(organizationId: string, mayRead: boolean) {
  const path = `/orgs/${organizationId}/invitations`;
  const pages = usePages<Invitation>(mayRead ? path : null);
  return {
    ...pages,
    /** Inviting an address again replaces its previous invitation. */
    invite: async (body: { email: string; role: Role }): Promise<CreatedInvitation> => {
      const invitation = await apiFetch<CreatedInvitation>(path, { method: 'POST', body });
      await pages.reload();
      return invitation;
    },
    makeLink: (invitationId: string) => apiFetch<InvitationLink>(`${path}/${invitationId}/link`, { method: 'POST' }),
    revoke: async (invitationId: string) => {
      await apiFetch(`${path}/${invitationId}`, { method: 'DELETE' }).catch((error: unknown) => {
        // One that was accepted or has expired is already gone.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
      await pages.reload();
    },
  };
}
