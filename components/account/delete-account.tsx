'use client';

import { useState } from 'react';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { Dialog } from '@/components/ui/dialog';
import type { User } from '@/lib/accounts/schema';
import { DeleteAccountForm } from './delete-account-form';

/** The button that deletes the account, and its dialog. */
export function DeleteAccount({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <ExplainedAction text="Before you confirm, we’ll show which organizations will be deleted and what blocks the deletion.">
      <DeleteButton label="Delete account" onClick={() => setOpen(true)} />
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Delete your account?"
        description="We erase your personal data and close all your sessions immediately. You won’t be able to sign in again."
      >
        <DeleteAccountForm user={user} onCancel={() => setOpen(false)} />
      </Dialog>
    </ExplainedAction>
  );
}
