'use client';

import type { ReactNode } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

export type CloseScope = 'current' | 'others' | 'all';

const WORDS: Record<CloseScope, { title: string; description: ReactNode; confirmLabel: string }> = {
  current: {
    title: 'Sign out of this session?',
    description: 'You’re signed out in this browser. Other sessions stay open.',
    confirmLabel: 'Sign out',
  },
  others: {
    title: 'Close all other sessions?',
    description: 'All other browsers and command lines are signed out immediately. You stay signed in here.',
    confirmLabel: 'Close other sessions',
  },
  all: {
    title: 'Close all sessions?',
    description: 'All browsers and command lines are signed out immediately, including this one. API keys stay valid.',
    confirmLabel: 'Close all and sign out',
  },
};

/** Asks before closing anything but one other session. */
export function CloseSessionsDialog({
  scope,
  onClose,
  answers,
}: {
  scope: CloseScope | null;
  onClose: () => void;
  answers: Record<CloseScope, () => Promise<unknown>>;
}) {
  const asked = scope ?? 'others';
  return (
    <ConfirmDialog
      open={scope !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      {...WORDS[asked]}
      onConfirm={answers[asked]}
    />
  );
}
