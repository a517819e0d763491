'use client';

import { Crown, LogOut, MoreHorizontal, UserMinus } from 'lucide-react';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/dropdown-menu';
import type { Member } from '@/lib/orgs/schema';
import { removeDisabledReason } from './member-disabled-reasons';
import { nameOf } from './member-name';
import { useMemberActions } from './members-context';

/** What else can be done about a member. */
export function MemberRowMenu({ member }: { member: Member }) {
  const actions = useMemberActions();
  const isMe = member.userId === actions.ownId;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="ghost" size="iconSm" aria-label={`Actions for ${nameOf(member)}`}>
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </MenuTrigger>
      <MenuContent align="end">
        {isMe ? null : (
          <MenuItem
            disabledReason={roleDisabledReason(actions.mine, 'owner.manage')}
            onSelect={() => actions.transfer(member)}
          >
            <Crown aria-hidden="true" />
            Hand over ownership…
          </MenuItem>
        )}
        <MenuItem
          tone="danger"
          disabledReason={removeDisabledReason({ ...actions, member })}
          onSelect={() => actions.remove(member)}
        >
          {isMe ? <LogOut aria-hidden="true" /> : <UserMinus aria-hidden="true" />}
          {isMe ? 'Leave…' : 'Remove…'}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
