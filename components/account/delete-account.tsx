'use client';

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ExplainedAction } from '@/components/ui/explained-action';
import type { User } from '@/lib/accounts/schema';
import { DeleteAccountForm } from './delete-account-form';

/** The button that deletes the account, and its dialog. */
export function DeleteAccount({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <ExplainedAction text="Before you confirm, you see which organizations are deleted and what blocks the deletion.">
      <Button variant="quietDanger" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" />
        Delete account…
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Delete your account?"
        description="We erase your personal data and close all sessions immediately. You cannot sign in again."
      >
        <DeleteAccountForm user={user} onCancel={() => setOpen(false)} />
      </Dialog>
    </ExplainedAction>
  );
}
