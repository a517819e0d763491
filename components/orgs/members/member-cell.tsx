'use client';

import { Badge } from '@/components/ui/badge';
import type { Member } from '@/lib/orgs/schema';
import { useMemberActions } from './members-context';

/** The name and email address of a member. */
export function MemberCell({ member }: { member: Member }) {
  const { ownId } = useMemberActions();
  return (
    <span className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere font-medium">{member.name ?? member.email}</span>
        {member.userId === ownId ? <Badge tone="accent">You</Badge> : null}
      </span>
      {member.name === null ? null : <span className="wrap-anywhere block text-muted text-xs">{member.email}</span>}
    </span>
  );
}
