'use client';

import { EyeOff, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { PagedTable } from '@/components/data-table/paged-table';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { toast } from '@/components/ui/toast';
import type { Invitation } from '@/lib/orgs/schema';
import { invitationColumns } from './invitation-columns';
import { InvitationActionsContext } from './invitations-context';
import type { useInvitations } from './use-invitations';

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
