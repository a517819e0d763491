'use client';

import { Crown, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { PagedTable } from '@/components/data-table/paged-table';
import { InvitationLinkDialog } from '@/components/orgs/invitations/invitation-link-dialog';
import { InvitationsSection } from '@/components/orgs/invitations/invitations-section';
import { InviteDialog } from '@/components/orgs/invitations/invite-dialog';
import { useInvitations } from '@/components/orgs/invitations/use-invitations';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { InlineError } from '@/components/ui/inline-error';
import { PageHeader } from '@/components/ui/page-header';
import type { Invitation } from '@/lib/orgs/schema';
import { memberColumns } from './member-columns';
import { MemberConfirmation } from './member-confirmation';
import { MemberActionsContext } from './members-context';
import { TransferOwnershipDialog } from './transfer/transfer-ownership-dialog';
import { useMemberChanges } from './use-member-changes';
import { useMembers } from './use-members';

const UNSENT = 'This server doesn’t send email. Copy the link and hand it over.';

interface Linking {
  invitation: Invitation | null;
  reason: string | null;
}

/** The members and invitations of an organization. */
export function MembersPage({ organizationId }: { organizationId: string }) {
  const { organization } = useOrganization(organizationId);
  const mine = organization?.role;
  const members = useMembers(organizationId);
  const inviteDisabledReason = roleDisabledReason(mine, 'invitation.manage');
  const invitations = useInvitations(organizationId, mine !== undefined && inviteDisabledReason === undefined);
  const changes = useMemberChanges({ organizationId, name: organization?.name ?? '', members });
  const [inviting, setInviting] = useState(false);
  const [linking, setLinking] = useState<Linking>({ invitation: null, reason: null });
  const onUnsent = (invitation: Invitation) => setLinking({ invitation, reason: UNSENT });
  const { ownId, lastOwnerId } = members;
  return (
    <MemberActionsContext value={{ mine, ownId, lastOwnerId, ...changes.actions }}>
      <PageHeader
        title="Members"
        description={
          <>
            The members of <span className="wrap-anywhere font-medium text-text">{organization?.name}</span> and their
            roles.
          </>
        }
        actions={
          <>
            <Button
              disabledReason={roleDisabledReason(mine, 'owner.manage')}
              onClick={() => changes.openTransfer(undefined)}
            >
              <Crown aria-hidden="true" />
              Transfer ownership
            </Button>
            <Button variant="primary" disabledReason={inviteDisabledReason} onClick={() => setInviting(true)}>
              <UserPlus aria-hidden="true" />
              Invite member
            </Button>
          </>
        }
      />
      <InlineError what="We couldn’t change the role" error={changes.error} className="mb-3" />
      <PagedTable
        label="Members"
        columns={memberColumns}
        pages={members}
        getRowId={(member) => member.userId}
        empty={<EmptyState title="No members" sentence="This organization has no members." />}
      />
      {/* Not before the members: their rows would move it. */}
      {members.rows === undefined && members.error === undefined ? null : (
        <InvitationsSection
          invitations={invitations}
          mine={mine}
          disabledReason={inviteDisabledReason}
          onInvite={() => setInviting(true)}
          onUnsent={onUnsent}
          copyLink={(invitation) => setLinking({ invitation, reason: null })}
        />
      )}
      <InviteDialog
        open={inviting}
        onOpenChange={setInviting}
        mine={mine}
        invite={invitations.invite}
        onUnsent={onUnsent}
      />
      <InvitationLinkDialog
        {...linking}
        makeLink={invitations.makeLink}
        onClose={() => setLinking({ invitation: null, reason: null })}
      />
      <MemberConfirmation
        asked={changes.asked}
        ownId={ownId}
        organizationName={organization?.name ?? ''}
        onClose={changes.closeQuestion}
        onConfirm={changes.confirm}
      />
      <TransferOwnershipDialog
        {...changes.transfer}
        others={members.rows?.filter(({ userId }) => userId !== ownId) ?? []}
        onInvite={() => {
          changes.transfer.onClose();
          setInviting(true);
        }}
      />
    </MemberActionsContext>
  );
}
