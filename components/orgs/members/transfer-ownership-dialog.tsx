'use client';

import { type ReactNode, useState } from 'react';
import { ROLE_LABELS, ROLE_OPTIONS, withArticle } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { InlineError } from '@/components/ui/inline-error';
import { Select } from '@/components/ui/select';
import type { Member } from '@/lib/orgs/schema';
import { nameOf } from './member-name';

const LEAVE = 'LEAVE';
type Afterwards = Role | typeof LEAVE;

const AFTERWARDS = [
  ...ROLE_OPTIONS.filter(({ value }) => value !== 'OWNER').reverse(),
  { value: LEAVE, label: 'Leave the organization', description: 'You lose its projects at once.' },
] satisfies { value: Afterwards; label: string; description: string }[];

export interface TransferOwnershipDialogProps {
  /** Null: closed. `to` is whom it was opened for, when it was for anybody. */
  open: { to: Member | undefined } | null;
  onClose: () => void;
  others: readonly Member[];
  onMakeOwner: (member: Member) => Promise<void>;
  onStepDown: (role: Role) => Promise<void>;
  onLeave: () => Promise<void>;
  onInvite: () => void;
}

/** Handing over in two steps: there is an owner at every moment, and the second can be left out. */
export function TransferOwnershipDialog({ open, onClose, ...rest }: TransferOwnershipDialogProps) {
  return (
    <Dialog
      open={open !== null}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title="Hand over ownership"
      description="In two steps, so that the organization is never without an owner."
    >
      {rest.others.length === 0 ? (
        <NobodyElse onInvite={rest.onInvite} />
      ) : (
        <TransferOwnershipSteps to={open?.to} onClose={onClose} {...rest} />
      )}
    </Dialog>
  );
}

function NobodyElse({ onInvite }: { onInvite: () => void }) {
  return (
    <>
      <p className="text-sm">
        You are the only member. Invite whom you want to hand over to; once they are here, come back.
      </p>
      <DialogActions>
        <Button variant="primary" onClick={onInvite}>
          Invite a member
        </Button>
      </DialogActions>
    </>
  );
}

function TransferOwnershipSteps({
  to,
  others,
  onClose,
  onMakeOwner,
  onStepDown,
  onLeave,
}: Omit<TransferOwnershipDialogProps, 'open' | 'onInvite'> & { to: Member | undefined }) {
  const [toId, setToId] = useState(to?.userId);
  const [afterwards, setAfterwards] = useState<Afterwards>('ADMIN');
  const [pending, setPending] = useState<1 | 2 | null>(null);
  const [error, setError] = useState<unknown>(undefined);
  // From the list as it is now: the first step makes one of them an owner.
  const chosen = others.find(({ userId }) => userId === toId);
  const isOwner = chosen?.role === 'OWNER';
  const take = async (step: 1 | 2, run: () => Promise<void>) => {
    if (pending !== null) return;
    setPending(step);
    setError(undefined);
    try {
      await run();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(null);
    }
  };
  return (
    <div className="grid gap-4">
      <Step number={1} title="Make another member an owner" isDone={isOwner}>
        <p className="text-muted text-sm">
          They may do everything then: also take your role from you, and delete the organization.
        </p>
        <div className="mt-2.5 flex flex-wrap gap-2">
          <Select
            aria-label="New owner"
            className="w-auto min-w-48 flex-1"
            placeholder="Choose a member"
            options={others.map((member) => ({
              value: member.userId,
              label: nameOf(member),
              description: `${member.name === null ? '' : `${member.email}, `}${ROLE_LABELS[member.role].label.toLowerCase()}`,
            }))}
            value={toId}
            onValueChange={setToId}
          />
          <Button
            className="h-9"
            variant={isOwner ? 'secondary' : 'primary'}
            loading={pending === 1}
            disabledReason={
              chosen === undefined ? 'Choose a member first' : isOwner ? 'They are an owner already' : undefined
            }
            onClick={() => void take(1, () => (chosen === undefined ? Promise.resolve() : onMakeOwner(chosen)))}
          >
            Make owner
          </Button>
        </div>
      </Step>
      <Step number={2} title="Step down yourself" isDone={false}>
        <p className="text-muted text-sm">
          {isOwner
            ? `You and ${nameOf(chosen)} are both owners now. You may also stay one.`
            : 'Until then you are both owners.'}
        </p>
        <div className="mt-2.5 flex flex-wrap gap-2">
          <Select
            aria-label="Afterwards you"
            className="w-auto min-w-48 flex-1"
            options={AFTERWARDS}
            value={afterwards}
            onValueChange={setAfterwards}
          />
          <Button
            className="h-9"
            variant={isOwner ? 'danger' : 'secondary'}
            loading={pending === 2}
            disabledReason={isOwner ? undefined : 'Make another member an owner first'}
            onClick={() => void take(2, () => (afterwards === LEAVE ? onLeave() : onStepDown(afterwards)))}
          >
            {afterwards === LEAVE ? 'Leave' : `Become ${withArticle(afterwards)}`}
          </Button>
        </div>
      </Step>
      <InlineError what="That did not work" error={error} />
      <DialogActions>
        <Button onClick={onClose}>{isOwner ? 'Stay an owner too' : 'Cancel'}</Button>
      </DialogActions>
    </div>
  );
}

function Step({
  number,
  title,
  isDone,
  children,
}: {
  number: number;
  title: string;
  isDone: boolean;
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
      {children}
    </section>
  );
}
