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
    title: 'Unlock this person?',
    confirmLabel: 'Unlock',
    consequence: 'The lockout ends at once and the failed sign-ins are forgotten. Whoever guessed may guess again.',
  },
  'close-sessions': {
    title: 'Close every session of this person?',
    confirmLabel: 'Close sessions',
    consequence:
      'Every browser and command line is signed out at once, and the person gets a mail. API keys keep working.',
  },
};

/** The one question before something is done to a person's account. */
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
