'use client';

import { useState } from 'react';
import { nameOf } from '@/components/orgs/members/member-name';
import { ROLE_OPTIONS, withArticle } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import type { Member } from '@/lib/orgs/schema';
import { TransferStep } from './transfer-step';

const LEAVE = 'LEAVE';
type NextRole = Role | typeof LEAVE;

const NEXT_ROLES = [
  ...ROLE_OPTIONS.filter(({ value }) => value !== 'OWNER').reverse(),
  { value: LEAVE, label: 'Leave the organization', description: 'You lose access to its projects immediately.' },
] satisfies { value: NextRole; label: string; description: string }[];

/** The second step: gives up one's own ownership. It can be left out. */
export function StepDownStep({
  newOwner,
  pending,
  onStepDown,
  onLeave,
}: {
  /** The other owner; undefined before the first step is done. */
  newOwner: Member | undefined;
  pending: boolean;
  onStepDown: (role: Role) => void;
  onLeave: () => void;
}) {
  const [nextRole, setNextRole] = useState<NextRole>('ADMIN');
  return (
    <TransferStep
      number={2}
      title="Give up your own ownership"
      description={
        newOwner === undefined
          ? 'You’re both owners until then.'
          : `You and ${nameOf(newOwner)} are both owners. You can also remain an owner.`
      }
    >
      <Select
        aria-label="Your next role"
        className="w-auto min-w-48 flex-1"
        options={NEXT_ROLES}
        value={nextRole}
        onValueChange={setNextRole}
      />
      <Button
        className="h-9"
        variant={newOwner === undefined ? 'secondary' : 'danger'}
        loading={pending}
        disabledReason={newOwner === undefined ? 'Make another member an owner first' : undefined}
        onClick={() => (nextRole === LEAVE ? onLeave() : onStepDown(nextRole))}
      >
        {nextRole === LEAVE ? 'Leave' : `Become ${withArticle(nextRole)}`}
      </Button>
    </TransferStep>
  );
}
