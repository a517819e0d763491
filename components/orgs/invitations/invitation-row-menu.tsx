'use client';

import { Ban, MoreHorizontal, Send } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/dropdown-menu';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Invitation } from '@/lib/orgs/schema';
import { useInvitationActions } from './invitations-context';

/** What can be done with an invitation that waits. */
export function InvitationRowMenu({ invitation }: { invitation: Invitation }) {
  const { mine, sendAgain, revoke } = useInvitationActions();
  const isOurs = mine === undefined || mayManage(mine, 'invitation.manage', { from: invitation.role });
  const disabledReason = isOurs ? undefined : 'Only an owner can change the invitation of an owner.';
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="ghost" size="iconSm" aria-label={`Actions for the invitation to ${invitation.email}`}>
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </MenuTrigger>
      <MenuContent align="end">
        <MenuItem disabledReason={disabledReason} onSelect={() => sendAgain(invitation)}>
          <Send aria-hidden="true" />
          Send again
        </MenuItem>
        <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => revoke(invitation)}>
          <Ban aria-hidden="true" />
          Revoke…
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
