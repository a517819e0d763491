'use client';

import { ROLE_OPTIONS } from '@/components/orgs/role-labels';
import { Select } from '@/components/ui/select';
import type { Member } from '@/lib/orgs/schema';
import { assignDisabledReason, changeDisabledReason } from './member-disabled-reasons';
import { nameOf } from './member-name';
import { useMemberActions } from './members-context';

/** Shows and changes the role of a member. */
export function RoleSelect({ member }: { member: Member }) {
  const actions = useMemberActions();
  const options = ROLE_OPTIONS.map((option) => ({
    ...option,
    disabledReason: assignDisabledReason(actions, option.value),
  }));
  const isChanging = actions.changingId === member.userId;
  return (
    <Select
      aria-label={`Role of ${nameOf(member)}`}
      className="h-8 w-36"
      options={options}
      value={member.role}
      disabledReason={isChanging ? 'Changing the role…' : changeDisabledReason({ ...actions, member })}
      onValueChange={(role) => {
        if (role !== member.role) actions.changeRole(member, role);
      }}
    />
  );
}
