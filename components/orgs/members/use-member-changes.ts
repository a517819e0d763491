'use client';

import { useState } from 'react';
import { withArticle } from '@/components/orgs/role-labels';
import { useAfterLeaving } from '@/components/orgs/use-after-leaving';
import type { Role } from '@/components/projects/role-disabled-reason';
import { toast } from '@/components/ui/toast';
import type { Member } from '@/lib/orgs/schema';
import type { MemberRequest } from './member-confirmation';
import { nameOf } from './member-name';
import { leaveOrganization, type useMembers } from './use-members';

/** The changes of the members page. Changes with serious effects ask for confirmation first. */
export function useMemberChanges({
  organizationId,
  name,
  members,
}: {
  organizationId: string;
  name: string;
  members: ReturnType<typeof useMembers>;
}) {
  const { ownId } = members;
  const afterLeaving = useAfterLeaving();
  const [asked, setAsked] = useState<MemberRequest | null>(null);
  const [transferring, setTransferring] = useState<{ to: Member | undefined } | null>(null);
  const [changingId, setChangingId] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(undefined);

  const setRole = async (member: Member, role: Role) => {
    await members.changeRole(member.userId, role);
    const who = member.userId === ownId ? 'You’re now' : `${nameOf(member)} is now`;
    toast.success(`${who} ${withArticle(role)}.`);
  };
  const leave = async () => {
    await leaveOrganization(organizationId, ownId);
    toast.success(`You left ${name}.`);
    await afterLeaving(organizationId);
  };
  const changeAtOnce = async (member: Member, role: Role) => {
    setChangingId(member.userId);
    setError(undefined);
    try {
      await setRole(member, role);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setChangingId(null);
    }
  };
  return {
    error,
    asked,
    closeQuestion: () => setAsked(null),
    confirm: async (question: MemberRequest) => {
      if (question.kind === 'role') return setRole(question.member, question.role);
      if (question.kind === 'leave') return leave();
      await members.remove(question.member.userId);
      toast.success(`${nameOf(question.member)} was removed.`);
    },
    actions: {
      changingId,
      changeRole: (member: Member, role: Role) => {
        const needsConfirmation = member.role === 'OWNER' || role === 'OWNER' || member.userId === ownId;
        if (needsConfirmation) setAsked({ kind: 'role', member, role });
        else void changeAtOnce(member, role);
      },
      remove: (member: Member) => setAsked({ kind: member.userId === ownId ? 'leave' : 'remove', member }),
      transfer: (member: Member) => setTransferring({ to: member }),
    },
    openTransfer: (to: Member | undefined) => setTransferring({ to }),
    transfer: {
      open: transferring,
      onClose: () => setTransferring(null),
      onMakeOwner: (member: Member) => setRole(member, 'OWNER'),
      onStepDown: async (role: Role) => {
        const me = members.rows?.find(({ userId }) => userId === ownId);
        if (me !== undefined) await setRole(me, role);
        setTransferring(null);
      },
      onLeave: leave,
    },
  };
}
