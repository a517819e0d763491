'use client';

import { LogOut } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { useSession } from '@/components/auth-session/use-session';
import { leaveOrganization } from '@/components/orgs/members/use-members';
import { useAfterLeaving } from '@/components/orgs/use-after-leaving';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import type { OrganizationSummary } from '@/lib/orgs/schema';

/** The way out, for oneself. */
export function LeaveOrganization({ organization }: { organization: OrganizationSummary }) {
  const { id, name, role } = organization;
  const { user } = useSession();
  const afterLeaving = useAfterLeaving();
  const [asking, setAsking] = useState(false);
  const leave = async () => {
    await leaveOrganization(id, user.id);
    toast.success(`You have left ${name}.`);
    await afterLeaving(id);
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="max-w-md min-w-0 flex-1 basis-64 text-sm">
        What you made stays, and the keys you created keep working.
        {role === 'OWNER' ? (
          <>
            {' '}
            An owner can leave once there is another:{' '}
            <Link
              href={`/orgs/${id}/members`}
              className="font-medium text-accent-text underline-offset-4 hover:underline"
            >
              transfer ownership
            </Link>
            .
          </>
        ) : null}
      </p>
      <Button onClick={() => setAsking(true)}>
        <LogOut aria-hidden="true" />
        Leave…
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Leave ${name}?`}
        description="You lose its projects at once. To come back, somebody has to invite you again."
        confirmLabel="Leave organization"
        onConfirm={leave}
      />
    </div>
  );
}
