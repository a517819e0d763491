'use client';

import { nameOf } from '@/components/orgs/members/member-name';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import type { Member } from '@/lib/orgs/schema';
import { TransferStep } from './transfer-step';

/** The first step: makes another member an owner. */
export function MakeOwnerStep({
  others,
  chosen,
  pending,
  onChoose,
  onMakeOwner,
}: {
  others: readonly Member[];
  chosen: Member | undefined;
  pending: boolean;
  onChoose: (userId: string) => void;
  onMakeOwner: (member: Member) => void;
}) {
  const isOwner = chosen?.role === 'OWNER';
  const whenOwner = isOwner ? 'They are already an owner' : undefined;
  return (
    <TransferStep
      number={1}
      title="Make another member an owner"
      description="Owners can do everything, including change your role and delete the organization."
      isDone={isOwner}
    >
      <Select
        aria-label="New owner"
        className="w-auto min-w-48 flex-1"
        placeholder="Choose a member"
        options={others.map(optionOf)}
        value={chosen?.userId}
        onValueChange={onChoose}
      />
      <Button
        className="h-9"
        variant={isOwner ? 'secondary' : 'primary'}
        loading={pending}
        disabledReason={chosen === undefined ? 'Choose a member first' : whenOwner}
        onClick={() => chosen && onMakeOwner(chosen)}
      >
        Make owner
      </Button>
    </TransferStep>
  );
}

function optionOf(member: Member) {
  const role = ROLE_LABELS[member.role].label.toLowerCase();
  return {
    value: member.userId,
    label: nameOf(member),
    description: member.name === null ? role : `${member.email}, ${role}`,
  };
}
