'use client';

import { type ReactNode, useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { ROLE_LABELS, ROLE_OPTIONS, withArticle } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { InlineError } from '@/components/ui/inline-error';
import { Select } from '@/components/ui/select';
import type { Member } from '@/lib/orgs/schema';
import { nameOf } from './use-members';

const LEAVE = 'LEAVE';

type NextRole = Role | typeof LEAVE;

const NEXT_ROLES = [
  ...ROLE_OPTIONS.filter(({ value }) => value !== 'OWNER').reverse(),
  { value: LEAVE, label: 'Leave the organization', description: 'You lose access to its projects immediately.' },
] satisfies { value: NextRole; label: string; description: string }[];

interface TransferStepsProps {
  /** The member that is chosen at first. */
  to: Member | undefined;
  others: readonly Member[];
  onClose: () => void;
  onMakeOwner: (member: Member) => Promise<void>;
  onStepDown: (role: Role) => Promise<void>;
  onLeave: () => Promise<void>;
}

/** Transfers ownership in two steps, so that the organization always has an owner. The second step is optional. */
export function TransferOwnershipDialog({ onInvite, ...steps }: TransferStepsProps & { onInvite: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={steps.onClose}
      title="Transfer ownership"
      description="This takes two steps, so the organization always has an owner."
    >
      {steps.others.length > 0 ? (
        <TransferSteps {...steps} />
      ) : (
        <>
          <p className="text-sm">You’re the only member. Invite the new owner, then come back once they’ve joined.</p>
          <DialogActions>
            <Button variant="primary" onClick={onInvite}>
              Invite a member
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

/** Both steps of a transfer; one runs at a time. The second gives up one's own ownership. */
function TransferSteps({ to, others, onClose, onMakeOwner, onStepDown, onLeave }: TransferStepsProps) {
  const [toId, setToId] = useState(to?.userId);
  const [nextRole, setNextRole] = useState<NextRole>('ADMIN');
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
  const whenOwner = newOwner === undefined ? undefined : 'They are already an owner';
  return (
    <div className="grid gap-4">
      <TransferStep
        number={1}
        title="Make another member an owner"
        description="Owners can do everything, including change your role and delete the organization."
        isDone={newOwner !== undefined}
      >
        <Select
          aria-label="New owner"
          className="w-auto min-w-48 flex-1"
          placeholder="Choose a member"
          options={others.map(optionOf)}
          value={toId}
          onValueChange={setToId}
        />
        <Button
          className="h-9"
          variant={newOwner === undefined ? 'primary' : 'secondary'}
          loading={pending && step === 1}
          disabledReason={chosen === undefined ? 'Choose a member first' : whenOwner}
          onClick={() => chosen && start(1, () => onMakeOwner(chosen))}
        >
          Make owner
        </Button>
      </TransferStep>
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
          loading={pending && step === 2}
          disabledReason={newOwner === undefined ? 'Make another member an owner first' : undefined}
          onClick={() => start(2, () => (nextRole === LEAVE ? onLeave() : onStepDown(nextRole)))}
        >
          {nextRole === LEAVE ? 'Leave' : `Become ${withArticle(nextRole)}`}
        </Button>
      </TransferStep>
      <InlineError what="The action failed" error={error} />
      <DialogActions>
        <Button onClick={onClose}>{newOwner === undefined ? 'Cancel' : 'Remain an owner'}</Button>
      </DialogActions>
    </div>
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

/** One of the two steps of a transfer. */
function TransferStep({
  number,
  title,
  description,
  isDone = false,
  children,
}: {
  number: number;
  title: string;
  description: string;
  isDone?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="rounded-lg border p-3.5">
      <h3 className="mb-1 flex items-center gap-2 font-medium text-sm">
        <span
          aria-hidden="true"
          className="inline-flex size-5 items-center justify-center rounded-full bg-accent-subtle text-accent-text text-xs"
        >
          {number}
        </span>
        {title}
        {isDone ? <Badge tone="success">Done</Badge> : null}
      </h3>
      <p className="text-muted text-sm">{description}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">{children}</div>
    </section>
  );
}
