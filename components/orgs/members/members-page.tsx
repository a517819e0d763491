'use client';

import { Crown, LogOut, UserMinus, UserPlus } from 'lucide-react';
import { createContext, useContext, useState } from 'react';
import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { PagedTable } from '@/components/data-table/paged-table';
import { InvitationLinkDialog } from '@/components/orgs/invitations/invitation-link-dialog';
import { InvitationsSection } from '@/components/orgs/invitations/invitations-section';
import { InviteDialog } from '@/components/orgs/invitations/invite-dialog';
import { useInvitations } from '@/components/orgs/invitations/use-invitations';
import { ROLE_OPTIONS } from '@/components/orgs/role-labels';
import { useOrganization } from '@/components/orgs/use-organization';
import { type Role, roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { EmptyState } from '@/components/ui/empty-state';
import { InlineError } from '@/components/ui/inline-error';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { Select } from '@/components/ui/select';
import type { Invitation, Member } from '@/lib/orgs/schema';
import { MemberConfirmation } from './member-confirmation';
import { assignDisabledReason, changeDisabledReason, removeDisabledReason } from './member-disabled-reasons';
import { nameOf } from './member-name';
import { TransferOwnershipDialog } from './transfer/transfer-ownership-dialog';
import { useMemberChanges } from './use-member-changes';
import { useMembers } from './use-members';

interface MemberActions {
  mine: Role | undefined;
  ownId: string;
  lastOwnerId: string | undefined;
  /** The member whose role is being changed. */
  changingId: string | null;
  changeRole: (member: Member, role: Role) => void;
  remove: (member: Member) => void;
  transfer: (member: Member) => void;
}

/** The actions of a row. A context, so that columns can stay at module scope. */
const MemberActionsContext = createContext<MemberActions>({
  mine: undefined,
  ownId: '',
  lastOwnerId: undefined,
  changingId: null,
  changeRole: () => {},
  remove: () => {},
  transfer: () => {},
});

const column = columnHelperFor<Member>();

const memberColumns = column.columns([
  column.accessor('email', {
    header: 'Member',
    meta: { primary: true, className: 'max-sm:pr-12' },
    cell: ({ row }) => <MemberCell member={row.original} />,
  }),
  column.accessor('role', { header: 'Role', cell: ({ row }) => <RoleSelect member={row.original} /> }),
  column.accessor('createdAt', {
    header: 'Joined',
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} className="text-muted" />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <MemberRowMenu member={row.original} /> }),
]);

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

/** Shows and changes the role of a member. */
function RoleSelect({ member }: { member: Member }) {
  const actions = useMemberActions();
  const options = ROLE_OPTIONS.map((option) => ({
    ...option,
    disabledReason: assignDisabledReason(actions, option.value),
  }));
  const isChanging = actions.changingId === member.userId;
  return (
    <Select
      aria-label={`Role of ${nameOf(member)}`}
      className="h-8 w-36"
      options={options}
      value={member.role}
      disabledReason={isChanging ? 'Changing the role…' : changeDisabledReason({ ...actions, member })}
      onValueChange={(role) => {
        if (role !== member.role) actions.changeRole(member, role);
      }}
    />
  );
}

/** The actions for a member, besides the role. */
function MemberRowMenu({ member }: { member: Member }) {
  const actions = useMemberActions();
  const isMe = member.userId === actions.ownId;
  return (
    <RowMenu of={nameOf(member)}>
      {isMe ? null : (
        <MenuItem
          disabledReason={roleDisabledReason(actions.mine, 'owner.manage')}
          onSelect={() => actions.transfer(member)}
        >
          <Crown aria-hidden="true" />
          Transfer ownership
        </MenuItem>
      )}
      <MenuItem
        tone="danger"
        disabledReason={removeDisabledReason({ ...actions, member })}
        onSelect={() => actions.remove(member)}
      >
        {isMe ? <LogOut aria-hidden="true" /> : <UserMinus aria-hidden="true" />}
        {isMe ? 'Leave' : 'Remove'}
      </MenuItem>
    </RowMenu>
  );
}

/** The name and email address of a member. */
function MemberCell({ member }: { member: Member }) {
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

function useMemberActions(): MemberActions {
  return useContext(MemberActionsContext);
}
