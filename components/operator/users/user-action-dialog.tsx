'use client';

import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { UserRecord } from '@/lib/admin/schema';
import type { UserAction } from './user-actions';

interface Asked {
  user: UserRecord;
  action: UserAction;
}

const WORDS: Record<UserAction, { title: string; confirmLabel: string; consequence: string }> = {
  unlock: {
    title: 'Unlock this account?',
    confirmLabel: 'Unlock account',
    consequence: 'Ends the lockout and clears the failed sign-ins. An attacker could start guessing passwords again.',
  },
  'close-sessions': {
    title: 'Close all of this user’s sessions?',
    confirmLabel: 'Close sessions',
    consequence: 'Signs the user out everywhere and notifies them by email. API keys stay valid.',
  },
};

/** Asks before an action on a user's account. */
export function UserActionDialog({
  question,
  onClose,
  onConfirm,
}: {
  question: Asked | null;
  onClose: () => void;
  onConfirm: (asked: Asked) => Promise<unknown>;
}) {
  if (question === null) return null;
  const { title, confirmLabel, consequence } = WORDS[question.action];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      tone={question.action === 'unlock' ? 'primary' : 'danger'}
      confirmLabel={confirmLabel}
      description={
        <>
          <p className="wrap-anywhere font-medium text-text">{question.user.email}</p>
          <p className="mt-1">{consequence}</p>
        </>
      }
      onConfirm={() => onConfirm(question)}
    />
  );
}
