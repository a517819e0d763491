'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { CreateOrganizationDialog } from './create-organization-dialog';

/** Shown to a person without an organization. */
export function NoOrganization() {
  const [open, setOpen] = useState(false);
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-prose text-sm">
        You aren’t in any organizations. Create one, or ask a colleague to invite you.
      </p>
      <Button variant="primary" onClick={() => setOpen(true)}>
        New organization
      </Button>
      <CreateOrganizationDialog open={open} onOpenChange={setOpen} />
    </div>
  );
}
