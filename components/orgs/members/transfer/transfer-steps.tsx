'use client';

import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { InlineError } from '@/components/ui/inline-error';
import type { Member } from '@/lib/orgs/schema';
import { MakeOwnerStep } from './make-owner-step';
import { StepDownStep } from './step-down-step';

export interface TransferStepsProps {
  /** The member that is chosen at first. */
  to: Member | undefined;
  others: readonly Member[];
  onClose: () => void;
  onMakeOwner: (member: Member) => Promise<void>;
  onStepDown: (role: Role) => Promise<void>;
  onLeave: () => Promise<void>;
}

/** Both steps of a transfer; one runs at a time. */
export function TransferSteps({ to, others, onClose, onMakeOwner, onStepDown, onLeave }: TransferStepsProps) {
  const [toId, setToId] = useState(to?.userId);
  const [step, setStep] = useState<1 | 2>(1);
  const { pending, error, run } = useAsyncAction();
  // Read from the present list: the first step changes the role of a member in it.
  const chosen = others.find(({ userId }) => userId === toId);
  const newOwner = chosen?.role === 'OWNER' ? chosen : undefined;
  const start = (next: 1 | 2, action: () => Promise<void>) => {
    if (pending) return;
    setStep(next);
    void run(action);
  };
  return (
    <div className="grid gap-4">
      <MakeOwnerStep
        others={others}
        chosen={chosen}
        pending={pending && step === 1}
        onChoose={setToId}
        onMakeOwner={(member) => start(1, () => onMakeOwner(member))}
      />
      <StepDownStep
        newOwner={newOwner}
        pending={pending && step === 2}
        onStepDown={(role) => start(2, () => onStepDown(role))}
        onLeave={() => start(2, onLeave)}
      />
      <InlineError what="The action failed" error={error} />
      <DialogActions>
        <Button onClick={onClose}>{newOwner === undefined ? 'Cancel' : 'Remain an owner'}</Button>
      </DialogActions>
    </div>
  );
}
