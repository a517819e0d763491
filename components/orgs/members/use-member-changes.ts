'use client';

import { type ComponentProps, useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { ROLE_LABELS, withArticle } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import type { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import type { Member } from '@/lib/orgs/schema';
import { nameOf, useLeaving, type useMembers } from './use-members';

/** A change that waits for its confirmation. */
type Question = Omit<ComponentProps<typeof ConfirmDialog>, 'open' | 'onOpenChange'>;

/** The changes of the members page. Those of an owner, of one's own membership, and removals ask for confirmation first. */
export function useMemberChanges(organization: { id: string; name: string }, members: ReturnType<typeof useMembers>) {
  const { ownId } = members;
  const leaving = useLeaving(organization);
  const [asked, setAsked] = useState<Question | null>(null);
  const [transferring, setTransferring] = useState<{ to: Member | undefined } | null>(null);
  const [changingId, setChangingId] = useState<string | null>(null);
  const { pending, error, run } = useAsyncAction();

  const setRole = async (member: Member, role: Role) => {
    await members.changeRole(member.userId, role);
    const who = member.userId === ownId ? 'You’re now' : `${nameOf(member)} is now`;
    toast.success(`${who} ${withArticle(role)}.`);
  };
  return {
    error,
    asked,
    closeQuestion: () => setAsked(null),
    actions: {
      /** The member whose role is being changed. */
      changingId: pending ? changingId : null,
      changeRole: (member: Member, role: Role) => {
        const isMe = member.userId === ownId;
        if (member.role !== 'OWNER' && role !== 'OWNER' && !isMe) {
          setChangingId(member.userId);
          void run(() => setRole(member, role));
          return;
        }
        const becomes = withArticle(role);
        setAsked({
          title: isMe ? `Become ${becomes} yourself?` : `Make ${nameOf(member)} ${becomes}?`,
          description: `${ROLE_LABELS[role].description} ${isMe ? 'You can’t restore your current role yourself.' : 'The change takes effect immediately.'}`,
          confirmLabel: isMe ? `Become ${becomes}` : `Make ${becomes}`,
          tone: role === 'OWNER' ? 'primary' : 'danger',
          onConfirm: () => setRole(member, role),
        });
      },
      remove: (member: Member) => {
        if (member.userId === ownId) return setAsked(leaving);
        const name = nameOf(member);
        setAsked({
          title: `Remove ${name}?`,
          description: `They lose access to ${organization.name} immediately. Everything they created is kept. Revoke any API keys they know.`,
          confirmLabel: 'Remove member',
          onConfirm: async () => {
            await members.remove(member.userId);
            toast.success(`${name} was removed.`);
          },
        });
      },
      transfer: (member: Member | undefined) => setTransferring({ to: member }),
    },
    /** Null while nobody transfers the ownership. */
    transfer: transferring && {
      to: transferring.to,
      onClose: () => setTransferring(null),
      onMakeOwner: (member: Member) => setRole(member, 'OWNER'),
      onStepDown: async (role: Role) => {
        const me = members.rows?.find(({ userId }) => userId === ownId);
        if (me !== undefined) await setRole(me, role);
        setTransferring(null);
      },
      onLeave: leaving.onConfirm,
    },
  };
}
