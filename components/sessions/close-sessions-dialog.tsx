'use client';

import type { ReactNode } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

export type CloseScope = 'current' | 'others' | 'all';

const WORDS: Record<CloseScope, { title: string; description: ReactNode; confirmLabel: string }> = {
  current: {
    title: 'Sign out here?',
    description: 'This session closes: you sign in again to go on in this browser. The others stay open.',
    confirmLabel: 'Sign out',
  },
  others: {
    title: 'Close all other sessions?',
    description: 'Every other browser and command line is signed out at once. You stay signed in here.',
    confirmLabel: 'Close the others',
  },
  all: {
    title: 'Close all sessions?',
    description: 'Every browser and command line is signed out at once, this one too. API keys keep working.',
    confirmLabel: 'Close all and sign out',
  },
};

/** The one scope before more than a single other session is closed. */
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
