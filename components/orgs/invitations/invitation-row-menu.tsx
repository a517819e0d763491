'use client';

import { Ban, Link2, Send } from 'lucide-react';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Invitation } from '@/lib/orgs/schema';
import { useInvitationActions } from './invitations-context';

/** The actions for a pending invitation. */
export function InvitationRowMenu({ invitation }: { invitation: Invitation }) {
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
