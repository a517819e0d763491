'use client';

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { User } from '@/lib/accounts/schema';
import { DeleteAccountForm } from './delete-account-form';

/** The way out, and the dialog that says first what goes with it. */
export function DeleteAccount({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="max-w-md min-w-0 flex-1 basis-64 text-sm">
        You are shown first what goes with you, and whether anything stands in the way.
      </p>
      <Button variant="quietDanger" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" />
        Delete account…
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Delete your account?"
        description="What identifies you is erased at once, every session closes, and you can never sign in again."
      >
        <DeleteAccountForm user={user} onCancel={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}
