'use client';

import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '@/components/auth-session/use-session';
import { leaveOrganization } from '@/components/orgs/members/use-members';
import { useAfterLeaving } from '@/components/orgs/use-after-leaving';
import { ExplainedAction } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Link } from '@/components/ui/link';
import { toast } from '@/components/ui/toast';
import type { OrganizationSummary } from '@/lib/orgs/schema';

/** Lets the person leave the organization. */
export function LeaveOrganization({ organization }: { organization: OrganizationSummary }) {
  const { id, name, role } = organization;
  const { user } = useSession();
  const afterLeaving = useAfterLeaving();
  const [asking, setAsking] = useState(false);
  const leave = async () => {
    await leaveOrganization(id, user.id);
    toast.success(`You left ${name}.`);
    await afterLeaving(id);
  };
  return (
    <ExplainedAction
      text={
        <>
          Everything you created stays, and API keys you created stay valid.
          {role === 'OWNER' ? (
            <>
              {' '}
              The last owner must first{' '}
              <Link
                href={`/orgs/${id}/members`}
                className="font-medium text-accent-text underline-offset-4 hover:underline"
              >
                transfer ownership
              </Link>
              .
            </>
          ) : null}
        </>
      }
    >
      <Button onClick={() => setAsking(true)}>
        <LogOut aria-hidden="true" />
        Leave organization
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Leave ${name}?`}
        description="You lose access to its projects immediately. To rejoin, you’ll need a new invitation."
        confirmLabel="Leave organization"
        onConfirm={leave}
      />
    </ExplainedAction>
  );
}
