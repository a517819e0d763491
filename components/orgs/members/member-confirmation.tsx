'use client';

import { ROLE_LABELS, withArticle } from '@/components/orgs/role-labels';
import type { Role } from '@/components/projects/role-disabled-reason';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { Member } from '@/lib/orgs/schema';
import { nameOf } from './member-name';

/** A change that needs confirmation. */
export type MemberRequest =
  | { kind: 'role'; member: Member; role: Role }
  | { kind: 'remove'; member: Member }
  | { kind: 'leave'; member: Member };

/** Asks before a change that involves an owner, a removal, or one's own membership. */
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
      description: 'You lose access to its projects immediately. To rejoin, you’ll need a new invitation.',
      confirmLabel: 'Leave organization',
      tone: 'danger' as const,
    };
  }
  if (asked.kind === 'remove') {
    return {
      title: `Remove ${name}?`,
      description: `They lose access to ${organizationName} immediately. Everything they created is kept. Revoke any API keys they know.`,
      confirmLabel: 'Remove member',
      tone: 'danger' as const,
    };
  }
  const isMe = asked.member.userId === ownId;
  const becomes = withArticle(asked.role);
  return {
    title: isMe ? `Become ${becomes} yourself?` : `Make ${name} ${becomes}?`,
    description: `${ROLE_LABELS[asked.role].description} ${isMe ? 'You can’t restore your current role yourself.' : 'The change takes effect immediately.'}`,
    confirmLabel: isMe ? `Become ${becomes}` : `Make ${becomes}`,
    tone: asked.role === 'OWNER' ? ('primary' as const) : ('danger' as const),
  };
}
