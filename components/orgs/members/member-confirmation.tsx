'use client';

import { ROLE_LABELS, withArticle } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { Member } from '@/lib/orgs/schema';
import { nameOf } from './member-name';

/** What is asked before it is done. */
export type MemberRequest =
  | { kind: 'role'; member: Member; role: Role }
  | { kind: 'remove'; member: Member }
  | { kind: 'leave'; member: Member };

/** The one question before a change that gives or takes much, or that is about oneself. */
export function MemberConfirmation({
  asked,
  ownId,
  organizationName,
  onClose,
  onConfirm,
}: {
  asked: MemberRequest | null;
  ownId: string;
  organizationName: string;
  onClose: () => void;
  onConfirm: (asked: MemberRequest) => Promise<void>;
}) {
  const words = asked === null ? null : wordsOf(asked, ownId, organizationName);
  return (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={words?.title ?? ''}
      description={words?.description}
      confirmLabel={words?.confirmLabel ?? ''}
      tone={words?.tone ?? 'danger'}
      onConfirm={() => (asked === null ? undefined : onConfirm(asked))}
    />
  );
}

function wordsOf(asked: MemberRequest, ownId: string, organizationName: string) {
  const name = nameOf(asked.member);
  if (asked.kind === 'leave') {
    return {
      title: `Leave ${organizationName}?`,
      description: 'You lose its projects at once. To come back, somebody has to invite you again.',
      confirmLabel: 'Leave organization',
      tone: 'danger' as const,
    };
  }
  if (asked.kind === 'remove') {
    return {
      title: `Remove ${name}?`,
      description: `They lose ${organizationName} with their next request. What they made stays, and its keys keep working: revoke those that they know.`,
      confirmLabel: 'Remove member',
      tone: 'danger' as const,
    };
  }
  const isMe = asked.member.userId === ownId;
  const becomes = withArticle(asked.role);
  return {
    title: isMe ? `Become ${becomes} yourself?` : `Make ${name} ${becomes}?`,
    description: `${ROLE_LABELS[asked.role].description} ${isMe ? 'You cannot take your present role back by yourself.' : 'It holds from their next request on.'}`,
    confirmLabel: isMe ? `Become ${becomes}` : `Make ${becomes}`,
    tone: asked.role === 'OWNER' ? ('primary' as const) : ('danger' as const),
  };
}
