'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import type { Member } from '@/lib/orgs/schema';
import { TransferSteps, type TransferStepsProps } from './transfer-steps';

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
