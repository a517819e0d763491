'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { CreateOrganizationDialog } from './create-organization-dialog';

/** For those who have left, or were removed from, their last organization. */
export function NoOrganization() {
  const [open, setOpen] = useState(false);
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-prose text-sm">
        You belong to no organization. Make one of your own, or ask a colleague to invite you to theirs.
      </p>
      <Button variant="primary" onClick={() => setOpen(true)}>
        New organization
      </Button>
      <CreateOrganizationDialog open={open} onOpenChange={setOpen} />
    </div>
  );
}
