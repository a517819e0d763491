'use client';

import { Crown, LogOut, UserMinus } from 'lucide-react';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import type { Member } from '@/lib/orgs/schema';
import { removeDisabledReason } from './member-disabled-reasons';
import { nameOf } from './member-name';
import { useMemberActions } from './members-context';

/** The actions for a member, besides the role. */
export function MemberRowMenu({ member }: { member: Member }) {
  const actions = useMemberActions();
  const isMe = member.userId === actions.ownId;
  return (
    <RowMenu of={nameOf(member)}>
      {isMe ? null : (
        <MenuItem
          disabledReason={roleDisabledReason(actions.mine, 'owner.manage')}
          onSelect={() => actions.transfer(member)}
        >
          <Crown aria-hidden="true" />
          Transfer ownership
        </MenuItem>
      )}
      <MenuItem
        tone="danger"
        disabledReason={removeDisabledReason({ ...actions, member })}
        onSelect={() => actions.remove(member)}
      >
        {isMe ? <LogOut aria-hidden="true" /> : <UserMinus aria-hidden="true" />}
        {isMe ? 'Leave' : 'Remove'}
      </MenuItem>
    </RowMenu>
  );
}
