'use client';

import { type ReactNode, useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { nameOf } from '@/components/orgs/members/member-name';
import { ROLE_LABELS, ROLE_OPTIONS, withArticle } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { InlineError } from '@/components/ui/inline-error';
import { Select } from '@/components/ui/select';
import type { Member } from '@/lib/orgs/schema';

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

export interface TransferOwnershipDialogProps extends Omit<TransferStepsProps, 'to'> {
  /** Null while closed. `to` is the member whose menu opened it. */
  open: { to: Member | undefined } | null;
  onInvite: () => void;
}

/** Transfers ownership in two steps, so that the organization always has an owner. The second step is optional. */
export function TransferOwnershipDialog({ open, onInvite, ...steps }: TransferOwnershipDialogProps) {
  return (
    <Dialog
      open={open !== null}
      onOpenChange={(next) => {
        if (!next) steps.onClose();
      }}
      title="Transfer ownership"
      description="This takes two steps, so the organization always has an owner."
    >
      {steps.others.length === 0 ? <NoOtherMember onInvite={onInvite} /> : <TransferSteps to={open?.to} {...steps} />}
    </Dialog>
  );
}

function NoOtherMember({ onInvite }: { onInvite: () => void }) {
  return (
    <>
      <p className="text-sm">You’re the only member. Invite the new owner, then come back once they’ve joined.</p>
      <DialogActions>
        <Button variant="primary" onClick={onInvite}>
          Invite a member
        </Button>
      </DialogActions>
    </>
  );
}

/** Both steps of a transfer; one runs at a time. */
function TransferSteps({ to, others, onClose, onMakeOwner, onStepDown, onLeave }: TransferStepsProps) {
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

/** The first step: makes another member an owner. */
function MakeOwnerStep({
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

/** The second step: gives up one's own ownership. It can be left out. */
function StepDownStep({
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
