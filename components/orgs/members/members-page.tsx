'use client';

import { Crown, LogOut, UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { columnsOf } from '@/components/data-table/column-helper';
import { PagedTable } from '@/components/data-table/paged-table';
import { HistoryItem } from '@/components/orgs/audit/history-links';
import { InvitationsSection, useInvitations } from '@/components/orgs/invitations/invitations-section';
import { InvitationLinkDialog, InviteDialog } from '@/components/orgs/invitations/invite-dialog';
import { ROLE_OPTIONS } from '@/components/orgs/role-labels';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { EmptyState } from '@/components/ui/empty-state';
import { InlineError } from '@/components/ui/inline-error';
import { TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { Select } from '@/components/ui/select';
import type { Registration } from '@/lib/auth/registration-policy';
import type { Invitation, Member } from '@/lib/orgs/schema';
import { TransferOwnershipDialog } from './transfer-ownership-dialog';
import { useMemberChanges } from './use-member-changes';
import {
  assignDisabledReason,
  changeDisabledReason,
  type MemberChange,
  nameOf,
  removeDisabledReason,
  useMembers,
} from './use-members';

/** What a row needs to know and to do. */
type MemberActions = Omit<MemberChange, 'member'> & ReturnType<typeof useMemberChanges>['actions'];

const UNSENT = 'No email was sent. Copy the link and hand it over.';

/** Who may create an account on this server, which says nothing about this organization. */
const REGISTRATION: Record<Registration, string> = {
  open: 'Anyone can create an account on this server, but joins this organization only with an invitation.',
  invited: 'Only people with an invitation can create an account on this server.',
  closed: 'No one can create an account on this server: only people who have one can accept an invitation.',
};

/** The members and invitations of an organization. */
export function MembersPage({ registration }: { registration: Registration }) {
  const { organizationId, organization } = useOrganization();
  const mine = organization?.role;
  const members = useMembers(organizationId);
  const inviteDisabledReason = roleDisabledReason(mine, 'invitation.manage');
  const invitations = useInvitations(organizationId, mine !== undefined && inviteDisabledReason === undefined);
  const changes = useMemberChanges({ id: organizationId, name: organization?.name ?? '' }, members);
  const [inviting, setInviting] = useState(false);
  const [linking, setLinking] = useState<{ invitation: Invitation; reason: string | null } | null>(null);
  const onUnsent = (invitation: Invitation) => setLinking({ invitation, reason: UNSENT });
  const { ownId, lastOwnerId } = members;
  const actions: MemberActions = { mine, ownId, lastOwnerId, ...changes.actions };
  const columns = columnsOf<Member>(
    [
      {
        header: 'Member',
        primary: true,
        className: 'max-sm:pr-12',
        cell: (member) => <MemberCell member={member} isMe={member.userId === ownId} />,
      },
      { header: 'Role', cell: (member) => <RoleSelect member={member} actions={actions} /> },
      { header: 'Joined', cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-muted" /> },
    ],
    (member) => <MemberRowMenu member={member} actions={actions} />,
  );
  return (
    <>
      <PageHeader
        title="Members"
        description={
          <>
            The members of <span className="wrap-anywhere font-medium text-text">{organization?.name}</span> and their
            roles. {REGISTRATION[registration]}{' '}
            <TextLink href="/docs/guides/self-hosting#before-production">Who can change that</TextLink>
          </>
        }
        actions={
          <>
            <Button
              disabledReason={roleDisabledReason(mine, 'owner.manage')}
              onClick={() => changes.actions.transfer(undefined)}
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
        columns={columns}
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
      {inviting ? (
        <InviteDialog mine={mine} invite={invitations.invite} onUnsent={onUnsent} onClose={() => setInviting(false)} />
      ) : null}
      {linking === null ? null : (
        <InvitationLinkDialog {...linking} makeLink={invitations.makeLink} onClose={() => setLinking(null)} />
      )}
      {changes.asked === null ? null : <ConfirmDialog open onOpenChange={changes.closeQuestion} {...changes.asked} />}
      {changes.transfer === null ? null : (
        <TransferOwnershipDialog
          {...changes.transfer}
          others={members.rows?.filter(({ userId }) => userId !== ownId) ?? []}
          onInvite={() => {
            changes.transfer?.onClose();
            setInviting(true);
          }}
        />
      )}
    </>
  );
}

interface RowProps {
  member: Member;
  actions: MemberActions;
}

/** Shows and changes the role of a member. */
function RoleSelect({ member, actions }: RowProps) {
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
function MemberRowMenu({ member, actions }: RowProps) {
  const isMe = member.userId === actions.ownId;
  return (
    <RowMenu of={nameOf(member)}>
      <HistoryItem targetId={member.userId} />
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
function MemberCell({ member, isMe }: { member: Member; isMe: boolean }) {
  return (
    <span className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere font-medium">{nameOf(member)}</span>
        {isMe ? <Badge tone="accent">You</Badge> : null}
      </span>
      {member.name === null ? null : <span className="wrap-anywhere block text-muted text-xs">{member.email}</span>}
    </span>
  );
}
